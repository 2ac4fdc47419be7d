tests/golden/input/chain.idg --gpu tests/golden/input/overheads-negative.xml
