sweep mmul08.idg --gpu pascal.xml --vary 'texture.issue=1,2'
