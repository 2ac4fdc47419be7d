tests/golden/input/group-too-large.idg --gpu tests/golden/input/toy.xml
