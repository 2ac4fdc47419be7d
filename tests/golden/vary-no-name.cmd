sweep mmul08.idg --gpu pascal.xml --vary '=1..2'
