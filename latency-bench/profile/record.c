/* SPDX-License-Identifier: BSD-3-Clause */
/* See record.h. */
#include "latency-bench/profile/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

char *ps_record_clean(const char *text, char *copy, size_t size)
{
    size_t i = 0;
    if (!text || !*text)
        text = "?";
    for (; text[i] && i + 1 < size; i++)
        copy[i] = (char)((unsigned char)text[i] < ' ' || text[i] == 127 ? ' ' : text[i]);
    copy[i] = '\0';
    return copy;
}

void ps_record_put(int file, const char *line, size_t length)
{
    const int why = errno; /* errno is the program's own */
    while (length > 0) {
        const ssize_t n = write(file, line, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        line += n;
        length -= (size_t)n;
    }
    errno = why;
}

void ps_record_line(int file, const char *format, ...)
{
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line - 1)
        return;
    line[length] = '\n';
    ps_record_put(file, line, (size_t)length + 1);
}

static void program_name(char *name, size_t size)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(path, '/');
    ps_record_clean(slash ? slash + 1 : path, name, size);
}

int ps_record_open(const char *folder, const char *phase)
{
    char path[4096], name[256];
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long long start = (long long)now.tv_sec * 1000000000 + now.tv_nsec;
    const int length =
        snprintf(path, sizeof path, "%s/%s.%lld.%ld", folder, phase, start, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof path)
        return -1;
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        return -1;
    program_name(name, sizeof name);
    ps_record_line(file, PS_RECORD_MAGIC "\t" PS_RECORD_VERSION "\t%s\t%ld\t%lld\t%s", phase,
                   (long)getpid(), start, name);
    return file;
}
