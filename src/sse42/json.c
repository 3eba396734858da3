/* SPDX-License-Identifier: MIT */
#include "sse42/vec.h"

#include "sse42/short.h"

#include "kernels/expand.h"

#include "kernels/json.tpl.h"
