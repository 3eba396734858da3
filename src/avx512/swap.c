/* SPDX-License-Identifier: MIT */
#include "avx512/vec.h"

#include "kernels/swap.tpl.h"
