tests/golden/input/trips-unknown.idg --gpu tests/golden/input/toy.xml
