/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of the rules, and what they say. */
#include "lift/build.h"

static const struct {
    const char *name, *text;
} rules[PS_BUILD_N_RULES] = {
    [PS_BUILD_MOVES] = {"moves",
                        "Moves, changes of sign and conversions between integers of 32 and "
                        "64 bits are no instructions."},
    [PS_BUILD_ADDRESSES] =
        {"addresses", "Integer instructions are joined where the assembler does so: constants "
                      "in addresses, products in sums, logic in logic; what works on 64 bits "
                      "takes two."},
    [PS_BUILD_MERGE_LOADS] = {"merge-loads",
                              "Accesses to local memory at adjacent addresses are one of 8 or 16 "
                              "bytes where alignment is known to allow it."},
    [PS_BUILD_LOOPS] = {"loops", "A loop's counter, its comparison and the branch back are one "
                                 "instruction of the class loop."},
    [PS_BUILD_PARAMETERS] = {"parameters", "Parameters and constants at fixed addresses are "
                                           "operands, no loads."},
    [PS_BUILD_SPECIALS] = {"specials", "Reading thread and group numbers takes no instruction."},
    [PS_BUILD_DEAD] = {"dead", "Instructions whose results nobody needs are left out."},
    [PS_BUILD_CONSTANTS] = {"constants",
                            "Numbers and parameters that no operand can hold are moves."},
    [PS_BUILD_FRAME] =
        {"frame", "A warp sets its stack pointer, reads each of its numbers once, and exits."},
    [PS_BUILD_SCHEDULE] = {"schedule",
                           "Within straight code, loads come early and what uses them late."},
};

const char *ps_build_rule_name(PsBuildRule rule)
{
    return rules[rule].name;
}

const char *ps_build_rule_text(PsBuildRule rule)
{
    return rules[rule].text;
}

void ps_build_options_init(PsBuildOptions *options)
{
    *options = (PsBuildOptions){0};
    for (int i = 0; i < PS_BUILD_N_RULES; i++)
        options->rules[i] = TRUE;
}
