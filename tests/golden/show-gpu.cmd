show tests/golden/input/two.xml
