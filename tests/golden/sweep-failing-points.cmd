sweep tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --vary group-size=32,512,64 --format csv
