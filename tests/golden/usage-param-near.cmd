mmul08 --gpu pascal --param sise=7
