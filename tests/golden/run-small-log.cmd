tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --groups 1 --param n=2 --log - --format csv
