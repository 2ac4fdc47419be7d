mmul08.idg --gpu pascal.xml --param rows=1
