tests/golden/input/chain.idg -gtests/golden/input/toy.xml -pn=2 -o- -fcsv
