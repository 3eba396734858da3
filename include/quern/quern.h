/* SPDX-License-Identifier: MIT */
/**
 * @file
 * All of quern's public face.
 */
#ifndef QUERN_QUERN_H
#define QUERN_QUERN_H

#include <quern/base.h>
#include <quern/cbor.h>
#include <quern/json.h>
#include <quern/kernels.h>
#include <quern/sink.h>
#include <quern/style.h>
#include <quern/token.h>
#include <quern/variant.h>

#if defined(__unix__) || defined(__unix) || defined(__APPLE__) || defined(__HAIKU__)
#    include <quern/posix.h>
#endif

#endif
