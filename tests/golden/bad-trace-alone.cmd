tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --trace-window=0..10
