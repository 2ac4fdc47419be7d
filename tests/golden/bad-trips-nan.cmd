tests/golden/input/trips-nan.idg --gpu tests/golden/input/toy.xml
