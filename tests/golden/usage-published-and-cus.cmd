sweep tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --vary active=1,2 --cus fullest --published
