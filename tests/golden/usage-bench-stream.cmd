bench -o -
