tests/golden/input/external-entity.idg --gpu tests/golden/input/toy.xml
