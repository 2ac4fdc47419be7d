tests/golden/input/version-2.idg --gpu tests/golden/input/toy.xml
