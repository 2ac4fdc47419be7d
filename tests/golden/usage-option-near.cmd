mmul08 --gup pascal
