/* SPDX-License-Identifier: MIT */
/** @file Checks of utf8_prefix that several test programs share. */
#ifndef QUERN_TESTS_UTF8_CHECKS_H
#define QUERN_TESTS_UTF8_CHECKS_H

#include "support/support.h"

/** utf8_prefix must answer this. */
void utf8_expect(const support_variant *v, const char *what, size_t where, const unsigned char *src, size_t len,
                 size_t length, quern_stop why);

/** utf8_prefix must answer what the oracle does. */
void utf8_expect_reference(const support_variant *v, const char *what, size_t where, const unsigned char *src,
                           size_t len);

/** The same of a text in pieces, cut at `cuts`; the bytes that an end leaves over go before the next piece. */
void utf8_expect_fed(const support_variant *v, const char *what, const unsigned char *src, size_t len,
                     const size_t *cuts, size_t pieces, quern_span expected);

#endif
