tests/golden/input/runaway.idg --gpu tests/golden/input/toy.xml
