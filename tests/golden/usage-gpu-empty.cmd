fadd.idg --gpu ''
