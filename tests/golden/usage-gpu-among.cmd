mmul08 v100
