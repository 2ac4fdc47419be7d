sweep mmul08.idg --gpu pascal.xml --vary size=8 --param size=16
