/* SPDX-License-Identifier: MIT */
#include "sse42/doubles.h"

#include "kernels/cbor.tpl.h"
