roofline tests/golden/input/garbage.idg --gpu pascal.xml
