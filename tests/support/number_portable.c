/* SPDX-License-Identifier: MIT */
/*
 * The library's number functions once more, without vectors and 128-bit integers. A program that has this file gets
 * them from here; the build defines QUERN_NUMBER_PORTABLE for all of it.
 */
#include "number/integer.c"
#include "number/real.c"
