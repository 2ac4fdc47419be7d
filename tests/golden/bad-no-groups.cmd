tests/golden/input/no-groups.idg --gpu tests/golden/input/toy.xml
