mmul08 --grp pascal
