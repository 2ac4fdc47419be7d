compare mmul08.idg --gpu pascal.xml --active 8 --versus --active 4 --clock 1000 --active=2
