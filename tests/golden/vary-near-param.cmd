sweep mmul08 --gpu pascal --vary szie=1,2
