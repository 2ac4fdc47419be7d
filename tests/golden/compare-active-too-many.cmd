compare tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --groups 40 --versus --active 6
