mmul08.idg --gpu pascal.xml -j2
