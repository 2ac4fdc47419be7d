compare mmul08.idg --gpu pascal.xml --active 8 --active 4
