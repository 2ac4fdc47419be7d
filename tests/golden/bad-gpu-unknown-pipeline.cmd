tests/golden/input/chain.idg --gpu tests/golden/input/unknown-pipeline.xml
