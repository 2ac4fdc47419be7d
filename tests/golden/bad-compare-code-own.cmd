compare tests/corpus/mmul16.ptx --gpu pascal.xml --grid 4x4 --versus mmul16.idg --block 8x8
