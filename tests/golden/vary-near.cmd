sweep mmul08 --gpu pascal --vary group_size=1,2
