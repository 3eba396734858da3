/* SPDX-License-Identifier: MIT */
#include "sse42/vec.h"

#include "sse42/short.h"

#include "kernels/text.tpl.h"
