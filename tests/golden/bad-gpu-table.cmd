tests/golden/input/chain.idg --gpu tests/golden/input/table.xml
