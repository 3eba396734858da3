/* SPDX-License-Identifier: MIT */
#include "sse42/vec.h"

#include "sse42/short.h"

#include "kernels/escape.tpl.h"

#include "kernels/expand.h"

#include "kernels/escape_write.tpl.h"
