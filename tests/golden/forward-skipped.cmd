tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --param n=1000 --groups 5 --tables
