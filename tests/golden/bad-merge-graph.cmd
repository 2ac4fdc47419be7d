sweep --merge tests/golden/input/chain.idg
