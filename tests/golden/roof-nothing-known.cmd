tests/golden/input/chain.idg --gpu tests/golden/input/two.xml --tables
