sweep mmul08.idg --gpu pascal.xml --vary 'local.latency=1'
