/* SPDX-License-Identifier: MIT */
/*
 * The order of a map's pairs, by their keys in a text: for deterministic CBOR and canonical JSON. The file that
 * includes this has before it the type `pair`, and `compare(text, a, b)`, below 0, 0 or above.
 */
/* Heapsort: in place, and n log n at the worst. */
static void sift(const uint8_t *text, pair *pairs, size_t root, size_t count)
{
    const pair moved = pairs[root];
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && compare(text, &pairs[child], &pairs[child + 1]) < 0)
            child++;
        if (compare(text, &moved, &pairs[child]) >= 0)
            break;
        pairs[root] = pairs[child];
    }
    pairs[root] = moved;
}

static void sort(const uint8_t *text, pair *pairs, size_t count)
{
    for (size_t root = count / 2; root-- > 0;)
        sift(text, pairs, root, count);
    while (count-- > 1) {
        const pair last = pairs[count];
        pairs[count] = pairs[0];
        pairs[0] = last;
        sift(text, pairs, 0, count);
    }
}

/* Whether each key is larger than the one before. */
static bool in_order(const uint8_t *text, const pair *pairs, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (compare(text, &pairs[i - 1], &pairs[i]) >= 0)
            return false;
    return true;
}
