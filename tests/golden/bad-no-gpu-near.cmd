sweep mmul08 --gpu pacsal.xml --vary active=1
