compare tests/corpus/mmul08.ptx tests/corpus/mmul16.ptx --gpu pascal.xml --registers 32 --grid 8x8 --block 8x8 --arg size=64 --arg a=ramp:16K --arg b=ramp:16K --arg c=zero:16K --versus --arg d=1
