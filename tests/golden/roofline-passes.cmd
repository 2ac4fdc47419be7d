roofline tests/golden/input/pass-1.csv tests/golden/input/pass-2.csv --gpu mi210.xml
