tests/golden/input/trips-overflow.idg --gpu tests/golden/input/toy.xml
