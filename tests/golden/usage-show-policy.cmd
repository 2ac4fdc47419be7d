show tests/golden/input/chain.idg --policy gto
