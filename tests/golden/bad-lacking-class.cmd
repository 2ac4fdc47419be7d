tests/golden/input/lacking-class.idg --gpu tests/golden/input/bare.xml
