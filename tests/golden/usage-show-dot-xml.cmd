show mmul08.idg --dot --xml
