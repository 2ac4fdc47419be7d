tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --groups 64 --param n=100 --what-if alu.issue=0.25 --clamp none --tables
