sweep tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --vary n=1..9000000000000000000+0.000000001
