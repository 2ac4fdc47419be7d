mmul08 --gpu pascal --what-if texture.issue=7
