mmul08.idg --gpu a100
