sweep mmul08.idg --gpu pascal.xml --vary 'size=8..64+0'
