mmul08.idg --gpu pascal.xml --measured 5ms
