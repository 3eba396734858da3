/* SPDX-License-Identifier: MIT */
#include "avx2/vec.h"

#include "kernels/copy.tpl.h"
