tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --timeline --tables
