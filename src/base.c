/* SPDX-License-Identifier: MIT */
#include <quern/base.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *quern_version(void)
{
    return TEXT(QUERN_VERSION_MAJOR) "." TEXT(QUERN_VERSION_MINOR) "." TEXT(QUERN_VERSION_PATCH);
}

bool quern_failed(quern_status status)
{
    return (int)status >= 16;
}

const char *quern_status_text(quern_status status)
{
    switch (status) {
    case QUERN_OK: return "done";
    case QUERN_MORE: return "the input so far is used up, more is needed";
    case QUERN_DONE: return "the end is reached";
    case QUERN_AGAIN: return "the target takes no more bytes now";
    case QUERN_ERROR_SYNTAX: return "the input breaks the grammar";
    case QUERN_ERROR_UTF8: return "the text is not well-formed UTF-8";
    case QUERN_ERROR_ESCAPE: return "an escape sequence has no meaning";
    case QUERN_ERROR_NUMBER: return "a number is malformed";
    case QUERN_ERROR_RANGE: return "a value is out of range, or a name is unknown";
    case QUERN_ERROR_TYPE: return "a value has another type than was asked for";
    case QUERN_ERROR_TRUNCATED: return "the input ends too early";
    case QUERN_ERROR_DEPTH: return "the nesting is deeper than allowed";
    case QUERN_ERROR_LIMIT: return "the data is larger than allowed";
    case QUERN_ERROR_DUPLICATE: return "a key stands there twice";
    case QUERN_ERROR_MISUSE: return "the call is not allowed in this state";
    case QUERN_ERROR_MEMORY: return "no memory could be had";
    case QUERN_ERROR_ROOM: return "the buffer is full";
    case QUERN_ERROR_IO: return "the target refused the output";
    }
    return "not a status of quern";
}
