show tests/golden/input/toy.xml tests/golden/input/bare.xml --sources
