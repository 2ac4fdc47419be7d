tests/golden/input/chain.idg --gpu tests/golden/input/completion-zero.xml
