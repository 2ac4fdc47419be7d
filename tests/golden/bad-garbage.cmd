tests/golden/input/garbage.idg --gpu tests/golden/input/toy.xml
