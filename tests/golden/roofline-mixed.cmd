roofline tests/golden/input/kernels.json saxpy.idg --gpu pascal.xml --kernel '*r*' --format csv
