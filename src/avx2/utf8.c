/* SPDX-License-Identifier: MIT */
#include "avx2/vec.h"

#include "kernels/utf8.tpl.h"
