pascal.xml --gpu mmul08.idg
