/* SPDX-License-Identifier: MIT */
/** @file SHA-256 (FIPS 180-4), for suites that are given by the hash of what should be written. */
#ifndef QUERN_TESTS_SHA256_H
#define QUERN_TESTS_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct sha256 {
    uint32_t state[8];
    uint64_t length;
    unsigned char block[64];
} sha256;

void sha256_init(sha256 *hash);
void sha256_add(sha256 *hash, const void *src, size_t len);

/** The hash so far; more can be added afterwards. */
void sha256_get(const sha256 *hash, unsigned char digest[32]);

#endif
