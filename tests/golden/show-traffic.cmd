show tests/golden/input/traffic.idg
