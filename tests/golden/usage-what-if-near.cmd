mmul08 --gpu pascal --what-if lcoal.issue=7
