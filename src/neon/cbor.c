/* SPDX-License-Identifier: MIT */
#include "neon/doubles.h"

#include "kernels/cbor.tpl.h"
