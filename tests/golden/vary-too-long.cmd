sweep mmul08.idg --gpu pascal.xml --vary 'size=1..99999999'
