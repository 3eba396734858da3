/* SPDX-License-Identifier: MIT */
#include "kernels/short16.h"
