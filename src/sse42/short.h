/* SPDX-License-Identifier: MIT */
/* Every instruction set has a file of this name, with the names of this one. */
#include "kernels/short16.h"
