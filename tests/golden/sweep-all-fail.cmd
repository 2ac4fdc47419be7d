sweep tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --vary group-size=512 --format json
