mmul08.idg
