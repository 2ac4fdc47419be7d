/* SPDX-License-Identifier: BSD-3-Clause */
/* See peek.h. A pipe is examined with tee, which Linux has; elsewhere no pipe is taken for XML. */
#define _GNU_SOURCE /* tee */
#include "code/peek.h"

#include "base/message.h"
#include "sass/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_BYTES 64

static const char MARK[] = "\xEF\xBB\xBF";

#ifdef __linux__
/* The bytes are copied to another pipe and read from that one. */
static gssize peek_once(int fd, char *bytes)
{
    int copy[2];
    gssize n;
    if (pipe(copy) != 0)
        return -1;
    do
        n = tee(fd, copy[1], MAX_BYTES, 0);
    while (n < 0 && errno == EINTR);
    if (n > 0)
        n = read(copy[0], bytes, MAX_BYTES);
    close(copy[0]);
    close(copy[1]);
    return n;
}

/* A byte order mark that arrives before the rest is dropped: it has no use, and nothing waits for
 * more than what is there. */
static gssize peek_pipe(int fd, char *bytes)
{
    gsize dropped = 0;
    for (;;) {
        const gssize n = peek_once(fd, bytes);
        if (n <= 0 || dropped + (gsize)n > strlen(MARK) ||
            memcmp(bytes, MARK + dropped, (gsize)n) != 0 || read(fd, bytes, (gsize)n) != n)
            return n;
        dropped += (gsize)n;
    }
}
#else
static gssize peek_pipe(int fd, char *bytes)
{
    (void)fd;
    (void)bytes;
    return -1;
}
#endif

static gssize peek(const char *path, char *bytes)
{
    struct stat status;
    const gboolean standard_input = strcmp(path, "-") == 0;
    if ((standard_input ? fstat(STDIN_FILENO, &status) : stat(path, &status)) != 0)
        return -1;
    if (standard_input && S_ISFIFO(status.st_mode))
        return peek_pipe(STDIN_FILENO, bytes);
    if (!S_ISREG(status.st_mode))
        return -1;
    const int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    const off_t at = standard_input ? lseek(fd, 0, SEEK_CUR) : 0;
    const gssize n = fd >= 0 && at >= 0 ? pread(fd, bytes, MAX_BYTES, at) : -1;
    if (fd >= 0 && !standard_input)
        close(fd);
    return n;
}

gboolean ps_peek_is_xml(const char *path)
{
    char bytes[MAX_BYTES + 1] = {0};
    if (peek(path, bytes) <= 0)
        return FALSE;
    const char *text = g_str_has_prefix(bytes, MARK) ? bytes + strlen(MARK) : bytes;
    return text[strspn(text, " \t\r\n")] == '<';
}

gboolean ps_peek_is_machine_code(const char *path)
{
    char bytes[MAX_BYTES];
    const gssize n = strcmp(path, "-") == 0 ? 0 : peek(path, bytes);
    return n > 0 && ps_sass_is_file(bytes, (gsize)n);
}

const char *ps_peek_ending(const char *name, const char *text, gsize length, GError **error)
{
    static const struct {
        const char *ending;
        const char *sign;
    } KINDS[] = {
        {".ptx", "^\\s*\\.version\\s+[0-9]"},
        {".cu", "\\b__global__\\b"},
        {".cl", "\\b(?:__)?kernel\\s+(?:void|__attribute__)"},
        {".sass",
         "^\\s*\\.headerflags\\b|^\\s*\\.section\\s+\\.text\\.|^\\s*/\\*[0-9a-f]{4,}\\*/"}};
    if (ps_sass_is_file(text, length))
        return ".cubin";
    for (guint i = 0; i < G_N_ELEMENTS(KINDS); i++) {
        g_autoptr(GRegex) sign =
            g_regex_new(KINDS[i].sign, G_REGEX_RAW | G_REGEX_MULTILINE, 0, NULL);
        if (!g_regex_match_full(sign, text, (gssize)length, 0, 0, NULL, NULL))
            continue;
        return KINDS[i].ending;
    }
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "%s is neither a graph nor a kernel's code: PTX has a line .version, CUDA a "
                "__global__ function, OpenCL a kernel, and machine code is a cubin",
                name);
    return NULL;
}

/* ---- what is no graph ------------------------------------------------------------------------ */

/* "k" of "folder/k.hip" (g_free). */
static char *stem_of(const char *name)
{
    char *base = g_path_get_basename(name);
    char *point = strrchr(base, '.');
    if (point && point > base)
        *point = '\0';
    return base;
}

/* The kind of a text that pipesim cannot read, and what would do instead; NULL: unknown
 * (g_free). */
static char *other_kind(const char *name, const char *text, gsize length)
{
    const char *ending = ps_peek_ending(name, text, length, NULL);
    g_autofree char *stem = stem_of(name);
    if (g_strstr_len(text, (gssize)length, ".amdgcn_target"))
        return g_strdup("assembly for AMD's GPUs, which is not read; give its source, a .cl or .cu "
                        "file");
    if (g_strstr_len(text, (gssize)length, "\ntarget triple = "))
        return g_strdup("code of LLVM, which is not read; give its source, or PTX, which llc "
                        "-march=nvptx64 makes of it");
    if (g_strcmp0(ending, ".sass") == 0)
        return g_strdup_printf(
            "a listing of machine code, which is read from standard input alone: "
            "pipesim - ... < %s; or give the cubin that it lists",
            name);
    if (ending && strcmp(name, "-") == 0)
        return g_strdup_printf("a kernel's code, which is taken from a file here: copy it to "
                               "kernel%s, and name that",
                               ending);
    if (ending && g_str_has_suffix(name, ".hip"))
        return g_strdup_printf(
            "HIP, of which what CUDA has, too, is read: copy it to %s%s, without "
            "hip/hip_runtime.h",
            stem, ending);
    return ending && !g_str_has_suffix(name, ending)
               ? g_strdup_printf("a kernel's code, which is known by its ending: copy it to %s%s",
                                 stem, ending)
               : NULL;
}

gboolean ps_peek_no_other(const char *name, const char *text, gsize length, GError **error)
{
    static const char elf[] = "\177ELF";
    const char *from = g_str_has_prefix(text, MARK) ? text + strlen(MARK) : text;
    from += strspn(from, " \t\r\n");
    if (*from == '<' || !*from)
        return TRUE;
    const gboolean standard_input = strcmp(name, "-") == 0;
    if (!standard_input && length >= strlen(elf) && memcmp(text, elf, strlen(elf)) == 0) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s is machine code that no graph can be made of; give its source, or the PTX "
                    "that nvcc -ptx writes or cuobjdump -ptx finds in it",
                    name);
        return FALSE;
    }
    g_autofree char *kind = other_kind(name, text, length);
    if (!kind && !g_utf8_validate(text, (gssize)length, NULL)) /* its reader reports that */
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%s is %s",
                standard_input ? "standard input" : name,
                kind ? kind
                     : "neither a graph (.idg, in XML) nor a kernel's code, which is known by its "
                       "ending: .ptx, .cu, .cl or .cubin");
    return FALSE;
}
