tests/golden/input/chain.idg --gpu - --format csv <tests/golden/input/toy.xml
