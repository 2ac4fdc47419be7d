sweep mmul08.idg --gpu pascal.xml --vary 'rows=1..4'
