mmul08.idg --gpu pascal.xml --what-if local=2
