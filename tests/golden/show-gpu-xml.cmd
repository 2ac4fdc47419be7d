show tests/golden/input/toy.xml --xml
