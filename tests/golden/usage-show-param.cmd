show mmul08.idg --param rows=1
