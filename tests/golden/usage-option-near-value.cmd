sweep mmul08 --gpu pascal --vray=active=1
