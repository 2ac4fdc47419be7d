build tests/corpus/mmul16.ptx --grid 4x4 --block 16x16 --arg n=64 --arg a=ramp:16K --arg b=ramp:16K --arg c=zero:16K
