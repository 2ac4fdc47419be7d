mmul08.idg --gpu pascal.xml --gpu fermi.xml
