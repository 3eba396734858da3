/* SPDX-License-Identifier: MIT */
#include "frame.h"

#include <rapidjson/rapidjson.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

template <class Writer>
static void answer_all()
{
    while (frame_next()) {
        rapidjson::StringBuffer buffer;
        Writer writer(buffer);
        if (writer.String(frame_text, static_cast<rapidjson::SizeType>(frame_length)))
            frame_answer(buffer.GetString(), buffer.GetSize());
        else
            frame_refuse();
    }
}

int main(int argc, char **argv)
{
    const char *dialect = frame_dialect(argc, argv, RAPIDJSON_VERSION_STRING);
    if (strcmp(dialect, "rapidjson-ascii") == 0)
        answer_all<rapidjson::Writer<rapidjson::StringBuffer, rapidjson::UTF8<>, rapidjson::ASCII<>>>();
    else
        answer_all<rapidjson::Writer<rapidjson::StringBuffer>>();
    return 0;
}
