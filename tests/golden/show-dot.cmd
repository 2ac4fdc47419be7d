show tests/golden/input/chain.idg --dot
