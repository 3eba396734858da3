/* SPDX-License-Identifier: MIT */
#include "neon/vec.h"

#include "kernels/line.tpl.h"
