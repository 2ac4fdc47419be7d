compare tests/levels/stream.idg --gpu tests/levels/gpu.xml --groups 64 --versus --cache warm
