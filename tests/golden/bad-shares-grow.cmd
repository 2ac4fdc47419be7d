tests/golden/input/shares-grow.idg --gpu v100.xml
