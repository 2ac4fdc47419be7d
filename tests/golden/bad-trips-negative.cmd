tests/golden/input/trips-negative.idg --gpu tests/golden/input/toy.xml
