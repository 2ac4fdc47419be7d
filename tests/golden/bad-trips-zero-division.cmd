tests/golden/input/trips-zero-division.idg --gpu tests/golden/input/toy.xml
