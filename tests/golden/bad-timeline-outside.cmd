tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --timeline=1000..2000 --tables
