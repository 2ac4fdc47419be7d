tests/golden/input/unknown-attribute.idg --gpu tests/golden/input/toy.xml
