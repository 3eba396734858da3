/* SPDX-License-Identifier: MIT */
#include "avx2/vec.h"

#include "avx2/short.h"

#include "kernels/expand.h"

#include "kernels/json.tpl.h"
