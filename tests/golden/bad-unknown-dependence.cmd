tests/golden/input/unknown-dependence.idg --gpu tests/golden/input/toy.xml
