tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --what-if alu.issue=0.5 --format json
