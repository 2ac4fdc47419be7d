show mmul08.idg --clamp none
