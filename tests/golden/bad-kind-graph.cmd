tests/golden/input/toy.xml --gpu tests/golden/input/toy.xml
