saxpy.idg --gpu pascal.xml --format json --param n=65536
