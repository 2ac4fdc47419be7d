compare tests/golden/input/lines-a.idg tests/golden/input/lines-b.idg --gpu tests/golden/input/toy.xml
