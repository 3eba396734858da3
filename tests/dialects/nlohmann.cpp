/* SPDX-License-Identifier: MIT */
#include "frame.h"

#include <nlohmann/json.hpp>

#define WORD_(x) #x
#define WORD(x) WORD_(x)

int main(int argc, char **argv)
{
    const char *dialect = frame_dialect(
        argc, argv,
        WORD(NLOHMANN_JSON_VERSION_MAJOR) "." WORD(NLOHMANN_JSON_VERSION_MINOR) "." WORD(NLOHMANN_JSON_VERSION_PATCH));
    const bool ascii = strcmp(dialect, "nlohmann-ascii") == 0;
    while (frame_next()) {
        const nlohmann::json value = std::string(frame_text, frame_length);
        try {
            const std::string made = value.dump(-1, ' ', ascii);
            frame_answer(made.data(), made.size());
        } catch (const nlohmann::json::type_error &) {
            frame_refuse();
        }
    }
    return 0;
}
