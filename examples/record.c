/* SPDX-License-Identifier: MIT */
/* A CBOR record with a typed array, its size known before anything is allocated. */
#include <quern/quern.h>

#include <stdio.h>

static quern_status write_record(quern_sink *sink)
{
    static const float samples[] = {0.5f, 1.5f, -2.0f};
    quern_cbor_writer w;
    quern_cbor_writer_init(&w, sink, NULL);
    quern_cbor_begin_map(&w, 2); /* or QUERN_UNKNOWN */
    quern_cbor_write_key(&w, "time", 4);
    quern_cbor_write_tag(&w, 1);
    quern_cbor_write_uint(&w, 1363896240);
    quern_cbor_write_key(&w, "samples", 7);
    quern_cbor_write_typed_array(&w, QUERN_CBOR_FLOAT32, QUERN_CBOR_BIG_ENDIAN, samples, 3);
    quern_cbor_end(&w);
    return quern_cbor_writer_finish(&w);
}

int main(void)
{
    quern_fixed_sink counter, record;
    quern_fixed_sink_init(&counter, NULL, 0);
    write_record(&counter.sink);
    printf("%d bytes:", (int)quern_fixed_sink_needed(&counter));

    uint8_t bytes[64];
    quern_fixed_sink_init(&record, bytes, sizeof bytes);
    const quern_status status = write_record(&record.sink);
    for (size_t i = 0; i < quern_fixed_sink_needed(&record); i++)
        printf(" %02x", bytes[i]);
    printf("\n");
    return status == QUERN_OK ? 0 : 1;
}
