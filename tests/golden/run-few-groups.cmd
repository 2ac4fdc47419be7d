tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --groups 1 --tables
