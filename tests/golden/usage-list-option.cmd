list --gpu pascal
