tests/golden/input/external-dtd.idg --gpu tests/golden/input/toy.xml
