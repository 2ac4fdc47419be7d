sweep tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --vary group-size=32..256*2 --vary active=1..max --groups 64
