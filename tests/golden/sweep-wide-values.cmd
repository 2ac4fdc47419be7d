sweep tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --vary n=16384..65536*2 --vary alu.completion=4.125,1000000.5
