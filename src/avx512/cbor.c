/* SPDX-License-Identifier: MIT */
#include "avx512/doubles.h"

#include "kernels/cbor.tpl.h"
