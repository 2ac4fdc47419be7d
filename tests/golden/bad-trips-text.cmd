tests/golden/input/trips-text.idg --gpu tests/golden/input/toy.xml
