tests/golden/input/schema.idg --gpu tests/golden/input/toy.xml
