sweep mmul08.idg --gpu pascal.xml --vary size=1..10000 --vary groups=1..10000
