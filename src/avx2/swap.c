/* SPDX-License-Identifier: MIT */
#include "avx2/vec.h"

#include "kernels/swap.tpl.h"
