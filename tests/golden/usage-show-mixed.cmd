show mmul08.idg fermi.xml
