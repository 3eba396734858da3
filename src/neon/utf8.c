/* SPDX-License-Identifier: MIT */
#include "neon/vec.h"

#include "kernels/utf8.tpl.h"
