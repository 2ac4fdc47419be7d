tests/golden/input/deep.idg --gpu tests/golden/input/toy.xml
