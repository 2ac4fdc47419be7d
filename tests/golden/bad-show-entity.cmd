show tests/golden/input/entity.xml
