mmul08.idg --gpu
