show tests/golden/input/five-levels.idg
