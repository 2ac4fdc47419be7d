tests/golden/input/distance-zero.idg --gpu tests/golden/input/toy.xml
