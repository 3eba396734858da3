# For AArch64 Linux, with Debian's cross compiler; programs run under QEMU's user mode.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
# Static, so that no loader and no library of that machine has to be found. (With a library path of its own, -L, QEMU 7.2
# hangs at the first fork.)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
