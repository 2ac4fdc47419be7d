sweep tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --vary n=1..1000000000000000000
