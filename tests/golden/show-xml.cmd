show tests/golden/input/other.idg --xml
