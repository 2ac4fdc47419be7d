tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --param n=100000 --timeline=200000..200060.5 --timeline-warps 1 --tables
