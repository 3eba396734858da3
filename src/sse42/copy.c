/* SPDX-License-Identifier: MIT */
#include "sse42/vec.h"

#include "kernels/copy.tpl.h"
