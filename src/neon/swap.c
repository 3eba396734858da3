/* SPDX-License-Identifier: MIT */
#include "neon/vec.h"

#include "kernels/swap.tpl.h"
