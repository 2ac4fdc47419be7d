graphs/mmul08.idg --gpu pascal.xml --param size=1001
