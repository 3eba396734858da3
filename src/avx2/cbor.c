/* SPDX-License-Identifier: MIT */
#include "avx2/doubles.h"

#include "kernels/cbor.tpl.h"
