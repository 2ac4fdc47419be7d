tests/golden/input/chain.idg --gpu tests/golden/input/clock-zero.xml
