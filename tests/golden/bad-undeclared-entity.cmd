tests/golden/input/undeclared-entity.idg --gpu tests/golden/input/toy.xml
