/* SPDX-License-Identifier: MIT */
#include "neon/vec.h"

#include "kernels/escape.tpl.h"
