tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --clock 1500.5 --format json
