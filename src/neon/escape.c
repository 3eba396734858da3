/* SPDX-License-Identifier: MIT */
#include "neon/vec.h"

#include "neon/short.h"

#include "kernels/escape.tpl.h"

#include "kernels/expand.h"

#include "kernels/escape_write.tpl.h"
