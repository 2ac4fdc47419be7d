tests/golden/input/empty.idg --gpu tests/golden/input/toy.xml
