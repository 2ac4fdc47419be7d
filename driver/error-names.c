/* SPDX-License-Identifier: BSD-3-Clause */
/* See error-names.h. */
#include "driver/error-names.h"

#include <stddef.h>

#define CU(NAME) "CUDA_ERROR_" NAME
#define RT(NAME) "cudaError" NAME

static const ErrorName names[] = {
    {0, "CUDA_SUCCESS", "cudaSuccess", "no error"},
    {1, CU("INVALID_VALUE"), RT("InvalidValue"), "invalid argument"},
    {2, CU("OUT_OF_MEMORY"), RT("MemoryAllocation"), "out of memory"},
    {3, CU("NOT_INITIALIZED"), RT("InitializationError"), "initialization error"},
    {4, CU("DEINITIALIZED"), RT("CudartUnloading"), "driver shutting down"},
    {9, NULL, RT("InvalidConfiguration"), "invalid configuration argument"},
    {12, NULL, RT("InvalidPitchValue"), "invalid pitch argument"},
    {13, NULL, RT("InvalidSymbol"), "invalid device symbol"},
    {21, NULL, RT("InvalidMemcpyDirection"), "invalid copy direction for memcpy"},
    {35, NULL, RT("InsufficientDriver"),
     "CUDA driver version is insufficient for CUDA runtime version"},
    {98, NULL, RT("InvalidDeviceFunction"), "invalid device function"},
    {100, CU("NO_DEVICE"), RT("NoDevice"), "no CUDA-capable device is detected"},
    {101, CU("INVALID_DEVICE"), RT("InvalidDevice"), "invalid device ordinal"},
    {200, CU("INVALID_IMAGE"), RT("InvalidKernelImage"), "device kernel image is invalid"},
    {201, CU("INVALID_CONTEXT"), RT("DeviceUninitialized"), "invalid device context"},
    {209, CU("NO_BINARY_FOR_GPU"), RT("NoKernelImageForDevice"),
     "no kernel image is available for execution on the device"},
    {218, CU("INVALID_PTX"), RT("InvalidPtx"), "a PTX JIT compilation failed"},
    {301, CU("FILE_NOT_FOUND"), RT("FileNotFound"), "file not found"},
    {400, CU("INVALID_HANDLE"), RT("InvalidResourceHandle"), "invalid resource handle"},
    {500, CU("NOT_FOUND"), RT("SymbolNotFound"), "named symbol not found"},
    {600, CU("NOT_READY"), RT("NotReady"), "device not ready"},
    {700, CU("ILLEGAL_ADDRESS"), RT("IllegalAddress"), "an illegal memory access was encountered"},
    {701, CU("LAUNCH_OUT_OF_RESOURCES"), RT("LaunchOutOfResources"),
     "too many resources requested for launch"},
    {702, CU("LAUNCH_TIMEOUT"), RT("LaunchTimeout"), "the launch timed out and was terminated"},
    {704, CU("PEER_ACCESS_ALREADY_ENABLED"), RT("PeerAccessAlreadyEnabled"),
     "peer access is already enabled"},
    {705, CU("PEER_ACCESS_NOT_ENABLED"), RT("PeerAccessNotEnabled"),
     "peer access has not been enabled"},
    {710, CU("ASSERT"), RT("Assert"), "device-side assert triggered"},
    {712, CU("HOST_MEMORY_ALREADY_REGISTERED"), RT("HostMemoryAlreadyRegistered"),
     "part or all of the requested memory range is already mapped"},
    {713, CU("HOST_MEMORY_NOT_REGISTERED"), RT("HostMemoryNotRegistered"),
     "pointer does not correspond to a registered memory region"},
    {716, CU("MISALIGNED_ADDRESS"), RT("MisalignedAddress"), "misaligned address"},
    {719, CU("LAUNCH_FAILED"), RT("LaunchFailure"), "unspecified launch failure"},
    {720, CU("COOPERATIVE_LAUNCH_TOO_LARGE"), RT("CooperativeLaunchTooLarge"),
     "too many blocks in cooperative launch"},
    {801, CU("NOT_SUPPORTED"), RT("NotSupported"), "operation not supported"},
    {912, CU("INVALID_CLUSTER_SIZE"), RT("InvalidClusterSize"), "cluster misconfiguration"},
    {999, CU("UNKNOWN"), RT("Unknown"), "unknown error"}};

const ErrorName *error_name(int code)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].code == code)
            return &names[i];
    return NULL;
}
