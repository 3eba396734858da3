/* SPDX-License-Identifier: MIT */
#include "avx512/vec.h"

#include "avx512/short.h"

#include "kernels/text.tpl.h"
