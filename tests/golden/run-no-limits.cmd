tests/golden/input/chain.idg --gpu tests/golden/input/two.xml --groups 8 --tables
