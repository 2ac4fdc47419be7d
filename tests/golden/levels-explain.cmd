tests/levels/stream.idg --gpu tests/levels/gpu.xml --overheads on --explain --groups 99 --tables
