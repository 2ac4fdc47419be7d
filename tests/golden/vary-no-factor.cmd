sweep tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --vary 'n=1..4*'
