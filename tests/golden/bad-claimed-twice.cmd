tests/golden/input/claimed-twice.idg --gpu tests/golden/input/toy.xml
