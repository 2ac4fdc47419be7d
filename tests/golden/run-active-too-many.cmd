tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --active 6 --groups 40 --tables
