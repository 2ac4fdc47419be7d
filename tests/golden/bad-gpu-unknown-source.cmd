tests/golden/input/chain.idg --gpu tests/golden/input/unknown-source.xml
