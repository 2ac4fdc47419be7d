fadd.idg --gpu tests
