roofline tests/golden/input/json-none.json --gpu tests/golden/input/peaks.xml
