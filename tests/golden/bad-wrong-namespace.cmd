tests/golden/input/wrong-namespace.idg --gpu tests/golden/input/toy.xml
