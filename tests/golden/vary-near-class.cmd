sweep mmul08 --gpu pascal --vary lokal.issue=1,2
