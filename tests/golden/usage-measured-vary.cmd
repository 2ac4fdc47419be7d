sweep mmul08.idg --gpu pascal.xml --vary size=64,128 --measured 5
