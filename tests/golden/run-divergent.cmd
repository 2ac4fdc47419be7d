tests/golden/input/other.idg --gpu tests/golden/input/toy.xml --tables
