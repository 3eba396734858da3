/* SPDX-License-Identifier: MIT */
#include "sse42/vec.h"

#include "kernels/doubles16.h"

#include "kernels/cbor.tpl.h"
