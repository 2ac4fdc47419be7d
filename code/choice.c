/* SPDX-License-Identifier: BSD-3-Clause */
/* See choice.h. */
#include "code/choice.h"

#include "code/toolchain.h"
#include "code/toolkit.h"
#include "gpu/rows.h"
#include "launch/units.h"

#include <string.h>

#define VOLTA 70

/* ptxas's message on a kernel that ps_launch_build refuses. */
#define TOO_MUCH_SHARED "too much shared data"

/* Why PTX is executed whatever tools there are; NULL: it need not be. The reason is a fact of the
 * graph, so it names options like the program, whoever asks. */
static const char *reason_for_ptx(const PsMachineCodeOf *of)
{
    const PsCodeOptions *options = of->options;
    const guint architecture = ps_toolchain_architecture(of->gpu);
    if (of->module->machine || options->from == PS_CODE_MACHINE)
        return NULL;
    if (options->from == PS_CODE_PTX)
        return "as --from asks";
    for (guint i = 0; i < PS_BUILD_N_RULES; i++)
        if (options->no_rule[i])
            return "since rules of PTX are chosen (--no-...)";
    if (!of->gpu)
        return "since no GPU is given";
    if (ps_gpu_is_amd(of->gpu))
        return "as for all GPUs of AMD";
    if (!architecture)
        return "since the GPU's description states no compute capability";
    return architecture < VOLTA ? "as for all GPUs before Volta" : NULL;
}

static void say(const PsMachineCodeOf *of, const char *text)
{
    g_autofree char *line = g_strdup_printf("%s: %s", of->name, text);
    ps_code_note(of->options, line);
}

/* The missing tool that machine code needs, and its package; NULL: none is missing. */
static const char *missing_tool(const char *nvdisasm)
{
    g_autoptr(GPtrArray) ptxas = ps_toolkit_all("ptxas");
    return !ptxas->len ? "there is no ptxas (NVIDIA's CUDA toolkit has it)"
           : !nvdisasm ? "there is no nvdisasm (./bootstrap --only sass gets it)"
                       : NULL;
}

/* Machine code that was not asked for may be missing. */
static char *stand_in(const PsMachineCodeOf *of, const char *why)
{
    g_autofree char *name = g_strdup_printf("%s: ", of->name);
    why += g_str_has_prefix(why, name) ? strlen(name) : 0;
    g_autofree char *text =
        g_strdup_printf("PTX is executed in place of machine code, so the instructions that the "
                        "compiler chooses and their order are lost: %s; %sfrom ptx asks for PTX",
                        why, of->options->prefix);
    if (!strstr(why, TOO_MUCH_SHARED))
        say(of, text);
    return g_strdup_printf("PTX, since %s", why);
}

/* Warns that the machine code is for another architecture than the GPU's, unless that was said
 * before. */
static void say_deviation(const PsMachineCodeOf *of, const char *target)
{
    const PsCodeModule *module = of->module;
    g_autofree char *wrong = ps_launch_target_wrong(of->gpu, target, PS_CODE_FORM_MADE);
    if (wrong || module->machine || of->options->arch ||
        (module->source && strcmp(module->module->target, target) == 0))
        return;
    g_autofree char *text =
        g_strdup_printf("the machine code is for %s, the nearest that can be had; %s is sm_%u",
                        target, of->gpu->name, ps_toolchain_architecture(of->gpu));
    say(of, text);
}

/* Why machine code from PTX is not for the GPU, whose architecture the assembler of CUDA 13 does
 * not know: the PTX itself is for a later one, or only that assembler was found. "" otherwise
 * (g_free). */
static char *describe_old(const PsMachineCodeOf *of, guint architecture)
{
    const char *stated = of->module->module->target;
    const guint64 least = g_str_has_prefix(stated, "sm_") ? strtoull(stated + 3, NULL, 10) : 0;
    if (least <= architecture || of->module->source)
        return g_strdup(", which CUDA 12 compiles for (./bootstrap --only sass gets that)");
    return architecture < VOLTA
               ? g_strdup_printf(", which does not run PTX for %s", stated)
               : g_strdup_printf(", which does not run PTX for %s; compile for sm_%u (nvcc of CUDA "
                                 "12), or write .target sm_%u",
                                 stated, architecture, architecture);
}

/* What the code is if it is not for the GPU itself, or from PTX for a later one; otherwise ""
 * (g_free). */
static char *describe_other(const PsMachineCodeOf *of, const char *target)
{
    const guint architecture = ps_toolchain_architecture(of->gpu);
    const char *stated = of->module->module->target;
    const gboolean old = architecture < PS_SASS_FIRST_OF_CUDA_13 && !of->module->machine;
    g_autofree char *own = g_strdup_printf("sm_%u", architecture),
                    *first = g_strdup_printf("sm_%d", PS_SASS_FIRST_OF_CUDA_13);
    if (!architecture)
        return g_strdup("");
    if (strcmp(own, target) == 0)
        return old && of->module->source && strcmp(stated, first) == 0
                   ? g_strdup_printf(", of PTX that the compiler made for %s", stated)
                   : g_strdup("");
    g_autofree char *why = old && !of->options->arch && strcmp(target, first) == 0
                               ? describe_old(of, architecture)
                               : g_strdup("");
    return g_strdup_printf("; the GPU is %s%s", own, why);
}

static char *describe_machine(const PsMachineCodeOf *of, const PsSassCode *machine)
{
    const char *target = machine->module->target;
    g_autofree char *other = describe_other(of, target);
    if (g_str_has_prefix(other, ";"))
        say_deviation(of, target);
    return g_strdup_printf("machine code for %s, %s%s", target,
                           of->module->machine ? "as the file has it"
                           : of->options->from == PS_CODE_MACHINE
                               ? "made by ptxas, as --from asks"
                               : "made by ptxas, since that and nvdisasm are found",
                           other);
}

/* NVIDIA's assembler treats such code as code for a debugger. */
static void warn_of_debug(const PsMachineCodeOf *of, gboolean assembled)
{
    g_autofree char *text = g_strdup_printf(
        "%s: its .target says debug, so ptxas does not optimise it%s; compiled without -G (nvcc) "
        "or -g (clang), or with that word taken out, it is other code",
        of->name, assembled ? "" : ", and the PTX that is executed here counts as optimised");
    if (of->module->module && of->module->module->debug && ps_toolchain_architecture(of->gpu))
        ps_code_warn(of->options, text);
}

gboolean ps_machine_code_choose(const PsMachineCodeOf *of, PsSassCode **machine, char **what,
                                GError **error)
{
    const char *reason = reason_for_ptx(of);
    const PsCodeOptions *options = of->options;
    g_autofree char *nvdisasm = ps_machine_code_nvdisasm(options);
    const gboolean asked =
        of->module->machine || options->from == PS_CODE_MACHINE || (options->nvdisasm && !nvdisasm);
    g_autoptr(GError) why = NULL;
    if (reason) {
        warn_of_debug(of, FALSE);
        *what = g_strdup_printf("PTX, %s", reason);
        return TRUE;
    }
    const char *missing = asked ? NULL : missing_tool(nvdisasm);
    *machine = missing ? NULL : ps_machine_code_new(of, &why);
    if (!*machine && g_error_matches(why, PS_ERROR, PS_ERROR_SYNTAX)) {
        g_propagate_prefixed_error(error, g_steal_pointer(&why), "%s: ", of->name);
        return FALSE;
    }
    if (!*machine && (asked || g_error_matches(why, PS_ERROR, PS_ERROR_CANCELLED))) {
        g_propagate_error(error, g_steal_pointer(&why));
        return FALSE;
    }
    warn_of_debug(of, *machine != NULL);
    *what =
        *machine ? describe_machine(of, *machine) : stand_in(of, missing ? missing : why->message);
    return TRUE;
}

void ps_machine_code_ahead(const PsMachineCodeOf *of, PsDisassembly *work)
{
    g_autofree char *nvdisasm = ps_machine_code_nvdisasm(of->options);
    if (!of->module->machine && !reason_for_ptx(of) && !missing_tool(nvdisasm))
        ps_machine_code_list_later(of, work);
}
