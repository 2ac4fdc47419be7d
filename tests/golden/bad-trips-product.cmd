tests/golden/input/trips-product.idg --gpu tests/golden/input/toy.xml
