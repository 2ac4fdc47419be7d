; ModuleID = 'k.ll'
target triple = "nvptx64-nvidia-cuda"
