compare mmul08.idg --gpu fermi.xml --gpu pascal.xml --groups 140
