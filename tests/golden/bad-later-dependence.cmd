tests/golden/input/later-dependence.idg --gpu tests/golden/input/toy.xml
