/* SPDX-License-Identifier: MIT */
#include "neon/vec.h"

#include "kernels/copy.tpl.h"
