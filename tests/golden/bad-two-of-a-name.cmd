tests/golden/input/two-of-a-name.idg --gpu tests/golden/input/toy.xml
