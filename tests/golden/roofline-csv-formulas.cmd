roofline tests/golden/input/json-formulas.json --gpu tests/golden/input/peaks.xml --format csv
