tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --timeline --timeline-warps=0-7 --tables
