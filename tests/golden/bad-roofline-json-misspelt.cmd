roofline tests/golden/input/json-misspelt.json --gpu tests/golden/input/peaks.xml
