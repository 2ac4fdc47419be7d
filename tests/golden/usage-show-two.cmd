show mmul08.idg mmul16.idg
