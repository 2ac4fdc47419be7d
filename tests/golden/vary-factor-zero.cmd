sweep mmul08.idg --gpu pascal.xml --vary 'size=0..8*2'
