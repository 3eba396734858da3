/* SPDX-License-Identifier: MIT */
#include "sse42/vec.h"

#include "kernels/utf8.tpl.h"
