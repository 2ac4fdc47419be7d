sweep mmul08.idg --gpu pascal.xml --param size=64 --vary active=6,7 --vary local.issue=1,2 --measured 0.004 --format csv
