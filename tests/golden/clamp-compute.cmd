tests/golden/input/chain.idg --gpu tests/golden/input/slow.xml --groups 64 --tables
