show tests/golden/input/each.xml
