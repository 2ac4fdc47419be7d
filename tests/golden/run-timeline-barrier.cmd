mmul08.idg --gpu pascal.xml --active 2 --param size=64 --timeline=500..1200 --tables
