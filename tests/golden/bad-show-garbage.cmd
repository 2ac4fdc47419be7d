show tests/golden/input/garbage.idg
