/* SPDX-License-Identifier: MIT */
#include "avx512/vec.h"

#include "kernels/utf8.tpl.h"
