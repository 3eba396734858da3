/* SPDX-License-Identifier: MIT */
#include "sse42/vec.h"

#include "kernels/swap.tpl.h"
