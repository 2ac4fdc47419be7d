roofline tests/golden/input/json-densities.json --gpu tests/golden/input/peaks.xml
