mmul08.idg --gpu pascal.xml --groups 0
