/* SPDX-License-Identifier: MIT */
#include "avx512/vec.h"

#include "avx512/short.h"

#include "avx512/expand.h"

#include "kernels/json.tpl.h"
