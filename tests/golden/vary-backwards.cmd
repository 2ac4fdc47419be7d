sweep mmul08.idg --gpu pascal.xml --vary 'size=64..8'
