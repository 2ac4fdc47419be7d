sweep tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --vary active=3..max --groups 4
