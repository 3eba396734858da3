/* SPDX-License-Identifier: MIT */
#include "neon/vec.h"

#include "kernels/doubles16.h"

#include "kernels/cbor.tpl.h"
