mmul08.idg pascal.xml
