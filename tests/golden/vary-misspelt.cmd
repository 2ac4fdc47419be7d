sweep mmul08.idg --gpu pascal.xml --vary activ=1..4
