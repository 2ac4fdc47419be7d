tests/golden/input/lacking-class-near.idg --gpu tests/golden/input/bare.xml
