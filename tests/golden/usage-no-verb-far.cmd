frobnicate mmul08.idg
