tests/golden/input/entity-bomb.idg --gpu tests/golden/input/toy.xml
