mmul08.idg --gpu pascal.xml --group-size=-32
