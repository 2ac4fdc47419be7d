show mmul08.idg -j2
