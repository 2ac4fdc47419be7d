tests/golden/input/chain.idg --gpu tests/golden/input/model-levels.xml
