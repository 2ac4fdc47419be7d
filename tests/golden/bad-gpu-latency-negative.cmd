tests/golden/input/chain.idg --gpu tests/golden/input/latency-negative.xml
