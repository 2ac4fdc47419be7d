mmul08 --gpu pascal --what-if local.laod.issue=7
