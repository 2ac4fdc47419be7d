tests/golden/input/chain.idg --gpu tests/golden/input/schedulers-zero.xml
