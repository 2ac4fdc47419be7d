tests/golden/input/chain.idg --gpu tests/golden/input/issue-width-zero.xml
