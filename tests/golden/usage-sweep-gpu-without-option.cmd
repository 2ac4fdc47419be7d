sweep mmul08.idg pascal.xml --vary active=1
