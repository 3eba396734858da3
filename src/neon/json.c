/* SPDX-License-Identifier: MIT */
#include "neon/vec.h"

#include "neon/short.h"

#include "kernels/expand.h"

#include "kernels/json.tpl.h"
