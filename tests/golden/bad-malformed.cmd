tests/golden/input/malformed.idg --gpu tests/golden/input/toy.xml
