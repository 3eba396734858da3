/* SPDX-License-Identifier: MIT */
#include "sse42/vec.h"

#include "kernels/line.tpl.h"
