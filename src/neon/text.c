/* SPDX-License-Identifier: MIT */
#include "neon/vec.h"

#include "neon/short.h"

#include "kernels/text.tpl.h"
