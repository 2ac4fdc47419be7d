mmul08.idg --gpu a99
