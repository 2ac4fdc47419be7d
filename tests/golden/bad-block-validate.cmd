validate pascal.xml -o x.md --block 32
