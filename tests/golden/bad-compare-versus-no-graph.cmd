compare --gpu pascal.xml --versus mmul08.idg --active 1
