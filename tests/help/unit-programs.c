/* SPDX-License-Identifier: BSD-3-Clause */
/* The main of all unit tests: it runs the one whose name the program was started by (make/unit.mk).
 */
#include <glib.h>
#include <string.h>

typedef int (*Main)(int argc, char **argv);

#define UNIT_PROGRAM(name, function) int function(int argc, char **argv);
#include "tests/help/unit-programs.h"
#undef UNIT_PROGRAM

static const struct {
    const char *name;
    Main run;
} programs[] = {
#define UNIT_PROGRAM(name, function) {name, function},
#include "tests/help/unit-programs.h"
#undef UNIT_PROGRAM
};

int main(int argc, char **argv)
{
    g_autofree char *file = g_path_get_basename(argv[0]);
    if (g_str_has_suffix(file, ".t"))
        file[strlen(file) - 2] = '\0';
    for (guint i = 0; i < G_N_ELEMENTS(programs); i++)
        if (g_str_equal(programs[i].name, file))
            return programs[i].run(argc, argv);
    g_printerr(
        "%s: there is no tests/unit/%s.c; start one of the links NAME.t beside this program\n",
        argv[0], file);
    return 2;
}
