mmul08.idg --gpu v100.xml --active 2 --timeline=500..700 --explain
