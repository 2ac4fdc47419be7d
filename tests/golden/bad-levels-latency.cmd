tests/golden/input/chain.idg --gpu tests/golden/input/levels-latency.xml
