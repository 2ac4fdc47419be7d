-- What nsys export --type sqlite writes, as far as kernels go, in small and with figures of ours: two
-- processes, the second of which sees the machine's second GPU as its first.
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'saxpy(int, float, const float *, float *)'), (2, 'saxpy'),
    (3, 'void reduce<(int)256>(const float *, float *)'), (4, 'reduce'), (5, 'cudaLaunchKernel');
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER NOT NULL, name TEXT, busLocation TEXT, smCount INTEGER,
    computeMajor INTEGER, computeMinor INTEGER);
INSERT INTO TARGET_INFO_GPU VALUES (1, 0, 'NVIDIA GeForce RTX 3080', '0000:01:00.0', 68, 8, 6),
    (1, 1, 'Tesla V100-SXM2-16GB', '0000:02:00.0', 80, 7, 0);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER NOT NULL, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL,
    uuid TEXT, numMultiprocessors INTEGER);
INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 100, '', 68), (1, 1, 100, '', 80), (1, 0, 200, '', 80);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
    demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL,
    gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL,
    blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL,
    staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
    (1000, 3000, 0, 1, 7, 11, (100 << 24) | (1 << 56), 1, 2, 16, 64, 1, 1, 256, 1, 1, 0, 0),
    (1500, 2500, 1, 2, 7, 12, (100 << 24) | (1 << 56), 1, 2, 16, 64, 1, 1, 256, 1, 1, 0, 0),
    (4000, 9000, 0, 1, 13, 13, (100 << 24) | (1 << 56), 3, 4, 32, 64, 1, 1, 256, 1, 1, 1024, 0),
    (9000, 9500, 0, 1, 7, 14, (100 << 24) | (1 << 56), 1, 2, 16, 64, 1, 1, 256, 1, 1, 0, 0),
    (2000, 2700, 0, 1, 7, 11, (200 << 24) | (1 << 56), 1, 2, 16, 64, 1, 1, 256, 1, 1, 0, 0);
