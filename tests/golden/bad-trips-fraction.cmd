tests/golden/input/trips-fraction.idg --gpu tests/golden/input/toy.xml
