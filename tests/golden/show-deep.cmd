show tests/golden/input/deep.idg
