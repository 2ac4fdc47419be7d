tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --param n=0 --format csv
