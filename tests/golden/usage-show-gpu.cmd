show mmul08.idg -g pascal.xml
