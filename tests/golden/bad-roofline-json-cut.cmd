roofline tests/golden/input/json-cut.json --gpu tests/golden/input/peaks.xml
