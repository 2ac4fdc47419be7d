tests/golden/input/missing-attribute.idg --gpu tests/golden/input/toy.xml
