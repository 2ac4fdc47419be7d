sweep tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --vary groups=1..64*4 --what-if alu.issue=2
