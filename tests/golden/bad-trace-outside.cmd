tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --trace /dev/null --trace-window=999999999999999999.. --tables
