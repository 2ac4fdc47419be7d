/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See command-line.h. One table says which options there are; GOption reads them, after what it
 * does not know has been translated.
 */
#include "cli/command-line.h"

#include "cli/fail.h"

#include <string.h>

void raw_clear(Raw *raw)
{
    char **const lists[] = {raw->files, raw->gpus, raw->params, raw->what_if,
                            raw->vary,  raw->arg,  raw->dump};
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        g_strfreev(lists[i]);
    char *const texts[] = {raw->groups,
                           raw->group_size,
                           raw->active,
                           raw->clock,
                           raw->jobs,
                           raw->format,
                           raw->output,
                           raw->log,
                           raw->chart,
                           raw->policy,
                           raw->order,
                           raw->schedulers,
                           raw->contention,
                           raw->overheads,
                           raw->cus,
                           raw->levels,
                           raw->cache,
                           raw->resume,
                           raw->shard,
                           raw->chart_kind,
                           raw->discounted,
                           raw->kernel,
                           raw->launches,
                           raw->clamp,
                           raw->measured,
                           raw->backend,
                           raw->device,
                           raw->cubins,
                           raw->precompile,
                           raw->code,
                           raw->classes,
                           raw->grid,
                           raw->raw,
                           raw->from,
                           raw->seed,
                           raw->noise,
                           raw->points,
                           raw->list,
                           raw->block,
                           raw->shared,
                           raw->registers,
                           raw->sample,
                           raw->arch,
                           raw->max_instructions,
                           raw->compiler_options,
                           raw->timeline,
                           raw->timeline_warps,
                           raw->trace,
                           raw->trace_window,
                           raw->report};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
}

/* ---- the options of each verb -------------------------------------------------------------- */

#define RUN (1U << VERB_RUN)
#define SWEEP (1U << VERB_SWEEP)
#define COMPARE (1U << VERB_COMPARE)
#define ROOFLINE (1U << VERB_ROOFLINE)
#define BENCH (1U << VERB_BENCH)
#define VALIDATE (1U << VERB_VALIDATE)
#define BUILD (1U << VERB_BUILD)
#define SHOW (1U << VERB_SHOW)
#define LIST (1U << VERB_LIST)

/* Those that take a kernel's code in place of a graph; the help of build alone lists such options.
 */
#define CODE (RUN | SWEEP | COMPARE | ROOFLINE | BUILD | SHOW | OF_CODE)
#define OF_CODE (1U << 31)
#define AT(member) G_STRUCT_OFFSET(Raw, member)

/* An option, where its text goes, and the verbs that take it. */
typedef struct {
    const char *name;
    char letter;
    GOptionArg arg;
    glong at;
    guint verbs;
    const char *text, *value;
} Known;

static const Known OPTIONS[] = {
    {"gpu", 'g', G_OPTION_ARG_FILENAME_ARRAY, AT(gpus), RUN | SWEEP | COMPARE | ROOFLINE,
     "The GPU's description", "FILE"},
    {"gpu", 'g', G_OPTION_ARG_FILENAME_ARRAY, AT(gpus), BUILD, "The GPU whose caches count",
     "FILE"},
    {"gpu", 'g', G_OPTION_ARG_FILENAME_ARRAY, AT(gpus), SHOW, "Of code: the GPU whose caches count",
     "FILE"},
    {"kernel", 0, G_OPTION_ARG_FILENAME, AT(kernel), CODE & ~ROOFLINE,
     "Which kernel (default: the only one)", "NAME"},
    {"grid", 0, G_OPTION_ARG_STRING, AT(grid), CODE, "Work-groups: 32x32, (n/16)x1", "GRID"},
    {"block", 0, G_OPTION_ARG_STRING, AT(block), CODE, "Threads of a group: 32x8", "BLOCK"},
    {"arg", 0, G_OPTION_ARG_FILENAME_ARRAY, AT(arg), CODE, "An argument (see below)", "NAME=VALUE"},
    {"shared", 0, G_OPTION_ARG_STRING, AT(shared), CODE, "Dynamic local memory of a group",
     "BYTES"},
    {"registers", 0, G_OPTION_ARG_STRING, AT(registers), CODE, "Per thread (else ptxas, if there)",
     "N|ptxas|none"},
    {"sample", 0, G_OPTION_ARG_STRING, AT(sample), CODE, "Groups to execute (else one)", "GROUPS"},
    {"max-instructions", 0, G_OPTION_ARG_STRING, AT(max_instructions), CODE,
     "Of a group, at most (10^9)", "N"},
    {"partial", 0, G_OPTION_ARG_NONE, AT(partial), CODE, "Though much was skipped", NULL},
    {"arch", 0, G_OPTION_ARG_STRING, AT(arch), CODE, "Compile for (else --gpu's, sm_80)", "ARCH"},
    {"compiler-options", 0, G_OPTION_ARG_FILENAME, AT(compiler_options), CODE,
     "More for the compiler", "OPTIONS"},
    {"dump", 0, G_OPTION_ARG_FILENAME_ARRAY, AT(dump), BUILD, "Write a buffer when all is done",
     "NAME=FILE"},
    {"list", 0, G_OPTION_ARG_STRING, AT(list), BUILD, "List kernels and their arguments",
     "[mangled]"},
    {"stats", 0, G_OPTION_ARG_NONE, AT(stats), BUILD, "The mix, before and after rules", NULL},
    {"merge-loads", 0, G_OPTION_ARG_NONE, AT(merge_loads), CODE,
     "The default: adjacent ones are one", NULL},
    {"no-moves", 0, G_OPTION_ARG_NONE, AT(no_rule[0]), CODE, "Keep moves, widening", NULL},
    {"no-addresses", 0, G_OPTION_ARG_NONE, AT(no_rule[1]), CODE, "Keep address arithmetic", NULL},
    {"no-merge-loads", 0, G_OPTION_ARG_NONE, AT(no_rule[2]), CODE, "Keep local loads apart", NULL},
    {"no-loops", 0, G_OPTION_ARG_NONE, AT(no_rule[3]), CODE, "Keep loops' counters and branches",
     NULL},
    {"no-parameters", 0, G_OPTION_ARG_NONE, AT(no_rule[4]), CODE, "Keep loads of arguments", NULL},
    {"no-specials", 0, G_OPTION_ARG_NONE, AT(no_rule[5]), CODE, "Keep reads of %tid, ...", NULL},
    {"no-dead", 0, G_OPTION_ARG_NONE, AT(no_rule[6]), CODE, "Keep unused results", NULL},
    {"no-constants", 0, G_OPTION_ARG_NONE, AT(no_rule[7]), CODE, "No moves of constants", NULL},
    {"no-schedule", 0, G_OPTION_ARG_NONE, AT(no_rule[9]), CODE, "Keep the order of PTX", NULL},
    {"no-frame", 0, G_OPTION_ARG_NONE, AT(no_rule[8]), CODE, "No stack pointer, no exit", NULL},
    {"groups", 0, G_OPTION_ARG_STRING, AT(groups), RUN | SWEEP | COMPARE | ROOFLINE,
     "Work-groups of the whole launch", "N"},
    {"group-size", 0, G_OPTION_ARG_STRING, AT(group_size), RUN | SWEEP | COMPARE | ROOFLINE,
     "Threads of each group", "N"},
    {"active", 0, G_OPTION_ARG_STRING, AT(active), RUN | SWEEP | COMPARE,
     "Groups on a CU at once (else by occupancy)", "M"},
    {"what-if", 0, G_OPTION_ARG_STRING_ARRAY, AT(what_if), RUN | SWEEP | COMPARE,
     "Run with and without these latencies", "CLASS.issue=V,..."},
    {"clock", 0, G_OPTION_ARG_STRING, AT(clock), RUN | SWEEP | COMPARE | ROOFLINE,
     "Clock instead of the usual one: base, boost, or a number", "MHZ"},
    {"published", 0, G_OPTION_ARG_NONE, AT(published), RUN | SWEEP | COMPARE,
     "Without the refinements that the GPU asks for", NULL},
    {"policy", 0, G_OPTION_ARG_STRING, AT(policy), RUN | SWEEP | COMPARE,
     "Which ready one issues: fifo, lrr, gto or oldest", "POLICY"},
    {"order", 0, G_OPTION_ARG_STRING, AT(order), RUN | SWEEP | COMPARE,
     "Issue in a warp: dataflow or program", "ORDER"},
    {"schedulers", 0, G_OPTION_ARG_STRING, AT(schedulers), RUN | SWEEP | COMPARE,
     "Warp schedulers of a CU", "N|none"},
    {"contention", 0, G_OPTION_ARG_STRING, AT(contention), RUN | SWEEP | COMPARE,
     "Latencies over active warps: on or off", "SWITCH"},
    {"overheads", 0, G_OPTION_ARG_STRING, AT(overheads), RUN | SWEEP | COMPARE,
     "What launches cost: on or off", "SWITCH"},
    {"levels", 0, G_OPTION_ARG_STRING, AT(levels), RUN | SWEEP | COMPARE,
     "Levels of memory, and atomics: on or off", "SWITCH"},
    {"cache", 0, G_OPTION_ARG_STRING, AT(cache), RUN | SWEEP | COMPARE,
     "The last cache before the launch: cold or warm", "STATE"},
    {"cus", 0, G_OPTION_ARG_STRING, AT(cus), RUN | SWEEP | COMPARE, "Simulated CUs: fullest or all",
     "WHICH"},
    {"clamp", 0, G_OPTION_ARG_STRING, AT(clamp), RUN | SWEEP | COMPARE,
     "Least time: ceiling (default), roofline or none", "CLAMP"},
    {"measured", 0, G_OPTION_ARG_STRING, AT(measured), RUN | SWEEP | ROOFLINE,
     "A measured time to stand beside the answer", "MS"},
    {"no-fast-forward", 0, G_OPTION_ARG_NONE, AT(no_fast_forward), RUN | SWEEP | COMPARE,
     "Simulate every instruction", NULL},
    {"explain", 0, G_OPTION_ARG_NONE, AT(explain), RUN,
     "Say what the time went to, and where warps wait", NULL},
    {"sensitivity", 0, G_OPTION_ARG_NONE, AT(sensitivity), RUN,
     "Say what other latencies and launches would do", NULL},
    {"advise", 0, G_OPTION_ARG_NONE, AT(advise), RUN, "Say what would help, and by how much", NULL},
    {"tables", 'v', G_OPTION_ARG_NONE, AT(tables), RUN,
     "Tables by pipeline, class and line; the roofline's values", NULL},
    {"format", 'f', G_OPTION_ARG_STRING, AT(format), RUN | SWEEP | COMPARE | ROOFLINE | LIST,
     "text (default), json or csv", "FORMAT"},
    {"format", 'f', G_OPTION_ARG_STRING, AT(format), BENCH, "text (default) or json", "FORMAT"},
    {"format", 'f', G_OPTION_ARG_STRING, AT(format), VALIDATE, "text (default) or csv", "FORMAT"},
    {"report", 0, G_OPTION_ARG_FILENAME, AT(report), RUN, "Write one page to share: FILE.html",
     "FILE"},
    {"no-source", 0, G_OPTION_ARG_NONE, AT(no_source), RUN, "... without the text of the source",
     NULL},
    {"log", 0, G_OPTION_ARG_FILENAME, AT(log), RUN, "Write every event of a small run to FILE",
     "FILE"},
    {"timeline", 0, G_OPTION_ARG_STRING, AT(timeline), RUN, "Draw what warps do in these cycles",
     "[FROM..TO]"},
    {"timeline-warps", 0, G_OPTION_ARG_STRING, AT(timeline_warps), RUN,
     "The timeline's: 0-7,12 or all (default: 16)", "LIST"},
    {"trace", 0, G_OPTION_ARG_FILENAME, AT(trace), RUN, "Write trace events for Perfetto", "FILE"},
    {"trace-window", 0, G_OPTION_ARG_STRING, AT(trace_window), RUN, "Only these cycles of the run",
     "FROM..TO"},
    {"versus", 0, G_OPTION_ARG_NONE, AT(versus), COMPARE,
     "What follows is B's alone, all before it both's", NULL},
    {"vary", 0, G_OPTION_ARG_STRING_ARRAY, AT(vary), SWEEP, "Run with each value of the list",
     "NAME=LIST"},
    {"chart", 0, G_OPTION_ARG_FILENAME, AT(chart), SWEEP | ROOFLINE | BENCH | VALIDATE,
     "Draw as .svg, .png or .pdf", "FILE"},
    {"chart-kind", 0, G_OPTION_ARG_STRING, AT(chart_kind), ROOFLINE,
     "roofline (default), hierarchical or quadrants", "KIND"},
    {"trajectory", 0, G_OPTION_ARG_NONE, AT(trajectory), ROOFLINE,
     "The kernels are versions of one: draw arrows", NULL},
    {"discounted", 0, G_OPTION_ARG_STRING, AT(discounted), ROOFLINE,
     "Draw the roofline through this kernel's point", "KERNEL"},
    {"kernel", 0, G_OPTION_ARG_FILENAME, AT(kernel), ROOFLINE,
     "Only kernels with such a name, as \"*gemm*\"", "PATTERN"},
    {"launches", 0, G_OPTION_ARG_STRING, AT(launches), ROOFLINE,
     "Of a kernel: sum (default) or apart", "WHICH"},
    {"jobs", 'j', G_OPTION_ARG_STRING, AT(jobs), RUN | SWEEP | VALIDATE,
     "Simulations at once (default: all processors)", "N"},
    {"resume", 0, G_OPTION_ARG_FILENAME, AT(resume), SWEEP,
     "Write the CSV FILE, or go on with it where it ends", "FILE"},
    {"shard", 0, G_OPTION_ARG_STRING, AT(shard), SWEEP, "Every N-th point alone, from the K-th",
     "K/N"},
    {"merge", 0, G_OPTION_ARG_NONE, AT(merge), SWEEP, "Join the CSVs of all shards", NULL},
    {"dot", 0, G_OPTION_ARG_NONE, AT(dot), SHOW, "Draw the graph: write it for Graphviz", NULL},
    {"xml", 0, G_OPTION_ARG_NONE, AT(xml), SHOW, "Write the file anew, in its own format", NULL},
    {"sources", 0, G_OPTION_ARG_NONE, AT(sources), SHOW, "Of two GPUs: where each figure is from",
     NULL},
    {"gpus", 0, G_OPTION_ARG_NONE, AT(only_gpus), LIST, "GPUs alone", NULL},
    {"graphs", 0, G_OPTION_ARG_NONE, AT(only_graphs), LIST, "Graphs alone", NULL},
    {"backend", 0, G_OPTION_ARG_FILENAME, AT(backend), BENCH | VALIDATE,
     "cuda, hip or opencl (default: the first that is there), or model:GPU", "NAME"},
    {"device", 0, G_OPTION_ARG_STRING, AT(device), BENCH | VALIDATE,
     "Number of the device (default: 0)", "N"},
    {"cubins", 0, G_OPTION_ARG_FILENAME, AT(cubins), BENCH | VALIDATE,
     "Of CUDA: kernels compiled beforehand, in place of NVRTC", "FOLDER"},
    {"precompile", 0, G_OPTION_ARG_STRING, AT(precompile), BENCH,
     "Measure nothing, but compile kernels into the folder --output", "ARCH,..."},
    {"code", 0, G_OPTION_ARG_STRING, AT(code), BENCH,
     "Measure nothing, but hold machine code against the kernels", "ARCH,..."},
    {"quick", 0, G_OPTION_ARG_NONE, AT(quick), BENCH | VALIDATE, "The same as --grid quick", NULL},
    {"grid", 0, G_OPTION_ARG_STRING, AT(grid), BENCH | VALIDATE,
     "full, quick or reduced (default: full, of a processor reduced)", "GRID"},
    {"classes", 0, G_OPTION_ARG_STRING, AT(classes), BENCH | VALIDATE,
     "Only benchmarks with such a name, as \"fadd*\"", "PATTERN"},
    {"raw", 0, G_OPTION_ARG_FILENAME, AT(raw), BENCH | VALIDATE,
     "Where measurements are kept (default: beside the output)", "FILE"},
    {"resume", 0, G_OPTION_ARG_NONE, AT(go_on), BENCH | VALIDATE,
     "Go on where the measurements in FILE end", NULL},
    {"from", 0, G_OPTION_ARG_FILENAME, AT(from), BENCH | VALIDATE,
     "Take these measurements, and no device", "RAW"},
    {"force", 0, G_OPTION_ARG_NONE, AT(force), BENCH | VALIDATE, "Replace files that exist", NULL},
    {"seed", 0, G_OPTION_ARG_STRING, AT(seed), BENCH | VALIDATE, "Of a model's noise (default: 1)",
     "N"},
    {"noise", 0, G_OPTION_ARG_STRING, AT(noise), BENCH | VALIDATE,
     "Of a model: standard deviation as a share, such as 0.02", "SHARE"},
    {"points", 0, G_OPTION_ARG_FILENAME, AT(points), VALIDATE, "Write all points as CSV, too",
     "FILE"},
    {"help", 'h', G_OPTION_ARG_NONE, AT(help),
     RUN | SWEEP | COMPARE | ROOFLINE | BENCH | VALIDATE | BUILD | SHOW | LIST, "Say this, and end",
     NULL},
    {"param", 'p', G_OPTION_ARG_STRING_ARRAY, AT(params), RUN | SWEEP | COMPARE | ROOFLINE | SHOW,
     "Give a parameter of the graph a value", "NAME=VALUE"},
    {"output", 'o', G_OPTION_ARG_FILENAME, AT(output),
     RUN | SWEEP | COMPARE | ROOFLINE | VALIDATE | BUILD | SHOW | LIST,
     "Write to FILE, - is standard output", "FILE"},
    {"output", 'o', G_OPTION_ARG_FILENAME, AT(output), BENCH,
     "The description to write (default: named after the device)", "FILE"},
    {G_OPTION_REMAINING, 0, G_OPTION_ARG_FILENAME_ARRAY, AT(files),
     RUN | SWEEP | COMPARE | ROOFLINE | BENCH | VALIDATE | BUILD | SHOW | LIST, NULL, NULL},
};

static void add_options(GOptionGroup *group, Verb verb, Raw *raw)
{
    for (guint i = 0; i < G_N_ELEMENTS(OPTIONS); i++) {
        const Known *known = &OPTIONS[i];
        const int flags = known->verbs & OF_CODE && verb != VERB_BUILD ? G_OPTION_FLAG_HIDDEN
                                                                       : G_OPTION_FLAG_NONE;
        const GOptionEntry entries[] = {{known->name, known->letter, flags, known->arg,
                                         G_STRUCT_MEMBER_P(raw, known->at), known->text,
                                         known->value},
                                        {0}};
        if (known->verbs & 1U << verb)
            g_option_group_add_entries(group, entries);
    }
}

typedef struct {
    const char *usage;
    const char *summary;
    const char *description;
} VerbText;

const char *verb_name(Verb verb)
{
    static const char *const names[] = {"run",      "sweep", "compare", "roofline", "bench",
                                        "validate", "build", "show",    "list"};
    return names[verb];
}

static const VerbText VERBS[] = {
    [VERB_RUN] = {"GRAPH --gpu GPU",
                  "Simulates the kernel of an instruction dependence graph on a GPU: how long it\n"
                  "takes, what limits it, and what other latencies would change. In place of the\n"
                  "graph there may be a kernel's code, with what pipesim build takes.",
                  "Example: pipesim mmul08.idg --gpu pascal.xml\n"
                  "         pipesim mmul08.idg --gpu pascal.xml --what-if local.issue=7\n"},
    [VERB_SWEEP] =
        {"GRAPH... --gpu GPU... --vary NAME=LIST...",
         "Runs side by side: every graph on every GPU with every combination of the\n"
         "values; the last list varies fastest.",
         "NAME is active, groups, group-size, a parameter of the graph, CLASS.issue or\n"
         "CLASS.completion. LIST is 1,2,4 or 1..32 or 4..16+4 or 32..1024*2, or several\n"
         "of these with commas; active=1..max goes up to what occupancy allows.\n\n"
         "Example: pipesim sweep mmul08.idg mmul16.idg --gpu pascal.xml \\\n"
         "             --vary active=1..max --chart mmul.svg\n"},
    [VERB_COMPARE] =
        {"A B --gpu GPU | GRAPH --gpu A --gpu B | ... --versus ...",
         "Two runs side by side, and what the difference of their times is made of, by the\n"
         "critical paths of both: two graphs, one graph on two GPUs, one graph without and\n"
         "with --what-if, or whatever stands before and after --versus. In place of a graph\n"
         "there may be a kernel's code, with what pipesim build takes.",
         "What stands before --versus is both sides'. B has instead, or besides, what stands\n"
         "after it: options, a graph, a GPU. Of an --arg the one of that name is replaced,\n"
         "and a kernel may lack those that the other one has.\n\n"
         "Example: pipesim compare mmul08.idg mmul16.idg --gpu pascal.xml\n"
         "         pipesim compare mmul08.idg --gpu fermi.xml --gpu pascal.xml\n"
         "         pipesim compare mmul08.idg --gpu pascal.xml --versus --active 8\n"
         "         pipesim compare sum.cu --gpu v100.xml --kernel sum5 --grid 80 --block 256 \\\n"
         "             --arg n=1048576 --arg in=random:4M --arg out=zero:320 \\\n"
         "             --versus --kernel sum6\n"},
    [VERB_ROOFLINE] =
        {"PROFILE|GRAPH... --gpu GPU...",
         "Predicts how long kernels take, and whether compute or memory bounds them, by\n"
         "the quantitative roofline and without simulation: from what a profiler counted,\n"
         "or from graphs or a kernel's code, with what pipesim build takes.",
         "PROFILE is a CSV of nvprof, Nsight Compute, rocprof or rocprofv3, or JSON with\n"
         "kernel parameters, such as this verb prints. A file of durations alone lends\n"
         "them to the kernels of the other files. There is a fourth format, gnuplot: the\n"
         "script of the chart.\n\n"
         "Example: pipesim roofline mmul08.idg --gpu pascal.xml\n"
         "         pipesim roofline profile.csv --gpu pascal.xml --gpu v100.xml --chart all.svg\n"},
    [VERB_BENCH] =
        {"[-o GPU]",
         "Measures a device with chains of dependent instructions, and writes its\n"
         "description: latencies of each instruction class, peaks, and where every figure\n"
         "comes from. On a GPU this takes at most 5 minutes, with --quick one.",
         "A measurement that was stopped goes on with --resume. --from repeats the fit, and\n"
         "needs no device; --backend model:GPU measures what the description of a GPU says.\n"
         "--chart draws the measured points and what was fitted to them. --precompile needs\n"
         "NVRTC and no device, --cubins on another machine a device and no NVRTC. --code\n"
         "writes a page of the machine code that NVRTC and clang make (sm_90,gfx90a).\n\n"
         "Example: pipesim bench -o mygpu.xml\n"
         "         pipesim saxpy.idg --gpu mygpu.xml\n"},
    [VERB_VALIDATE] =
        {"GPU [-o REPORT]",
         "Holds a GPU's description against whole kernels: runs and times them on the\n"
         "device, simulates the same, predicts them by the roofline, and reports the errors\n"
         "of both, in Markdown.",
         "--from reads what was measured before: a file of this verb or of bench, or the\n"
         "measurements.csv of another campaign. --chart draws performance over occupancy.\n\n"
         "Example: pipesim validate mygpu.xml -o mygpu.md --chart mygpu.svg\n"
         "         pipesim validate mygpu.xml --from mygpu.validate.raw.csv\n"},
    [VERB_BUILD] =
        {"KERNEL.ptx|.cu|.cl",
         "Makes a graph of a kernel's code: executes a work-group of it and writes down\n"
         "which instructions it ran, what they waited for, and how they accessed memory.",
         "A NAME of --arg is one of the source, if that is found, or of the PTX, or a\n"
         "number from 0. VALUE is a number (1024, -3, 0x10, 2.5), or a buffer:\n"
         "zero:BYTES, ramp:BYTES[:TYPE] (0, 1, 2, ...), @FILE, or\n"
         "random:BYTES[:SEED[:TYPE[:BELOW]]]. TYPE is f32 (the default), f64, f16, bf16,\n"
         "or u8 to s64; BYTES may be 4M, or an expression such as 4*n*n. Rules (--no-...)\n"
         "are what the assembler does to PTX; docs/build.md explains them. GROUPS is all,\n"
         "or X,Y,Z from 0, several of them with semicolons.\n\n"
         "Example: pipesim build mmul.ptx --grid '(n/16)x(n/16)' --block 16x16 \\\n"
         "             --arg n=1024 --arg a=ramp:4M --arg b=ramp:4M --arg c=zero:4M\n"},
    [VERB_SHOW] = {"GRAPH|GPU [GPU]",
                   "Shows what a graph or a GPU description says, with every value worked out, or\n"
                   "two GPUs side by side. In place of a graph there may be a kernel's code, with\n"
                   "what pipesim build takes.",
                   "Example: pipesim show mmul08.idg --param size=2048\n"
                   "         pipesim show rtx3090 rtx4090\n"
                   "         pipesim show mmul08.idg --dot | dot -Tsvg -o mmul08.svg\n"},
    [VERB_LIST] =
        {"",
         "Lists the GPUs, with how much of each description was measured or published\n"
         "and how much is assumed, and the graphs: those in the folders of $PIPESIM_PATH\n"
         "and those that come with pipesim.",
         "pipesim show NAME tells all of one.\n\n"
         "Example: pipesim list --gpus\n"
         "         pipesim list --gpus --format csv\n"},
};

static GOptionContext *make_context(Verb verb, Raw *raw)
{
    GOptionContext *context = g_option_context_new(VERBS[verb].usage);
    GOptionGroup *group = g_option_group_new(verb_name(verb), "", "", NULL, NULL);
    add_options(group, verb, raw);
    g_option_context_set_main_group(context, group);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_summary(context, VERBS[verb].summary);
    g_option_context_set_description(context, VERBS[verb].description);
    return context;
}

char *options_help(Verb verb)
{
    g_auto(Raw) raw = {0};
    g_autoptr(GOptionContext) context = make_context(verb, &raw);
    g_autoptr(GString) help = g_string_new(NULL);
    g_autofree char *text = g_option_context_get_help(context, TRUE, NULL);
    g_string_append(help, text);
    g_string_replace(help, "\u2026", "...", 0); /* plain text, for every terminal */
    return g_string_free(g_steal_pointer(&help), FALSE);
}

/* ---- what GOption does not know ------------------------------------------------------------- */

/* The option that an argument such as "--jobs", "--jobs=2", "-j" or "-j2" is; NULL for none. Where
 * verbs have options of the same name, it is that of this verb. */
static const Known *find_option(Verb verb, const char *argument)
{
    const Known *found = NULL;
    if (argument[0] != '-' || !argument[1])
        return NULL;
    const gsize length = strcspn(argument + 1, "=") - 1;
    for (guint i = 0; i < G_N_ELEMENTS(OPTIONS) - 1; i++) {
        const Known *known = &OPTIONS[i];
        if (argument[1] == '-'
                ? strlen(known->name) == length && strncmp(known->name, argument + 2, length) == 0
                : known->letter == argument[1])
            found = !found || known->verbs & 1U << verb ? known : found;
    }
    return found;
}

/* That an option is another verb's, and whose. */
static gboolean check_verb(Verb verb, const Known *known, GError **error)
{
    g_autoptr(GString) whose = g_string_new(NULL);
    if (known->verbs & 1U << verb)
        return TRUE;
    for (Verb other = VERB_RUN; other <= VERB_LIST; other++)
        if (known->verbs & 1U << other)
            g_string_append_printf(whose, "%s%s",
                                   !whose->len                                ? ""
                                   : (known->verbs & ~OF_CODE) >> (other + 1) ? ", "
                                                                              : " and ",
                                   verb_name(other));
    return usage_error(error, "--%s belongs to pipesim %s, and this is pipesim %s", known->name,
                       whose->str, verb_name(verb));
}

static gboolean is_list(const Known *known)
{
    return known->arg == G_OPTION_ARG_STRING_ARRAY || known->arg == G_OPTION_ARG_FILENAME_ARRAY;
}

/* A value in brackets may be left out; it is never a word of its own. */
static gboolean may_lack_value(const Known *known)
{
    return known->value && known->value[0] == '[';
}

/* The command line as GOption understands it: "-j2" becomes "-j" and "2", "--timeline" becomes
 * "--timeline=" (g_strfreev). NULL and *error for an option of another verb. */
static char **translate(Verb verb, char **argv, GError **error)
{
    g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(g_free);
    gboolean is_value = FALSE, no_more = FALSE;
    for (; *argv; argv++) {
        const Known *known = is_value || no_more ? NULL : find_option(verb, *argv);
        no_more |= !is_value && strcmp(*argv, "--") == 0;
        if (known && !check_verb(verb, known, error))
            return NULL;
        const gboolean takes = known && known->arg != G_OPTION_ARG_NONE;
        const gboolean is_short = known && (*argv)[1] != '-';
        const gboolean attached = takes && is_short && (*argv)[2];
        const gboolean lacks = takes && may_lack_value(known) && !strchr(*argv, '=');
        is_value = takes && !attached && !lacks && !strchr(*argv, '=');
        g_ptr_array_add(out, attached ? g_strndup(*argv, 2)
                                      : g_strconcat(*argv, lacks ? "=" : NULL, NULL));
        if (attached)
            g_ptr_array_add(out, g_strdup(*argv + 2));
    }
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_steal(out, NULL);
}

void option_suggest(GError *error, const GPtrArray *options)
{
    char *written = strstr(error->message, "--");
    if (!written || !g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
        return;
    written[strcspn(written, "=")] = '\0'; /* a value is no part of the name */
    g_autofree char *message = error->message, *near = ps_did_you_mean(written, options);
    error->message = g_strconcat(message, near, NULL);
}

/* What the verb has, as people write them. */
static GPtrArray *options_of(Verb verb)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < G_N_ELEMENTS(OPTIONS) - 1; i++)
        if (OPTIONS[i].verbs & 1U << verb)
            g_ptr_array_add(names, g_strconcat("--", OPTIONS[i].name, NULL));
    return names;
}

const char *raw_repeated(Verb verb, char **argv, const char *const *without)
{
    g_auto(GStrv) words = translate(verb, argv, NULL);
    g_autoptr(GHashTable) there = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (char **word = words; word && *word && strcmp(*word, "--") != 0; word++) {
        const Known *known = find_option(verb, *word);
        if (!known || known->arg == G_OPTION_ARG_NONE)
            continue;
        if (!strchr(*word, '=') && word[1])
            word++;
        if (!is_list(known) && !g_strv_contains(without, known->name) &&
            !g_hash_table_add(there, (gpointer)known))
            return known->name;
    }
    return NULL;
}

gboolean raw_read(Verb verb, char **argv, Raw *raw, GError **error)
{
    g_autoptr(GOptionContext) context = make_context(verb, raw);
    g_auto(GStrv) arguments = translate(verb, argv, error);
    g_autoptr(GError) wrong = NULL;
    if (!arguments || g_option_context_parse_strv(context, &arguments, &wrong))
        return arguments != NULL;
    g_autoptr(GPtrArray) known = options_of(verb);
    option_suggest(wrong, known);
    g_propagate_error(error, g_steal_pointer(&wrong));
    return FALSE;
}

/* ---- what was given ------------------------------------------------------------------------ */

static gboolean is_given(const Raw *raw, const Known *known)
{
    return known->arg == G_OPTION_ARG_NONE ? G_STRUCT_MEMBER(gboolean, raw, known->at)
                                           : G_STRUCT_MEMBER(gpointer, raw, known->at) != NULL;
}

const char *raw_other_than(const Raw *raw, const char *const *names)
{
    for (guint i = 0; i < G_N_ELEMENTS(OPTIONS) - 1; i++)
        if (is_given(raw, &OPTIONS[i]) && !g_strv_contains(names, OPTIONS[i].name))
            return OPTIONS[i].name;
    return NULL;
}

const char *raw_any_of(const Raw *raw, const char *const *names)
{
    for (guint i = 0; i < G_N_ELEMENTS(OPTIONS) - 1; i++)
        if (is_given(raw, &OPTIONS[i]) && g_strv_contains(names, OPTIONS[i].name))
            return OPTIONS[i].name;
    return NULL;
}

static void add_values(const Raw *raw, const Known *known, GString *out)
{
    if (is_list(known)) {
        for (char **value = G_STRUCT_MEMBER(char **, raw, known->at); *value; value++)
            g_string_append_printf(out, "--%s=%s\n", known->name, *value);
        return;
    }
    g_string_append_printf(
        out, "--%s=%s\n", known->name,
        known->arg == G_OPTION_ARG_NONE ? "" : G_STRUCT_MEMBER(char *, raw, known->at));
}

/* An option that joins the table counts unless it is listed here. */
char *raw_signature(const Raw *raw)
{
    static const char *const without[] = {"gpu",  "format", "output", "chart", "jobs",
                                          "help", "resume", "shard",  "merge", "no-fast-forward",
                                          NULL};
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(OPTIONS) - 1; i++)
        if (is_given(raw, &OPTIONS[i]) && !g_strv_contains(without, OPTIONS[i].name))
            add_values(raw, &OPTIONS[i], out);
    return g_string_free(out, FALSE);
}

/* What a shell would read as this value. */
static void add_option(GPtrArray *out, const Known *known, const char *value)
{
    static const char plain[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-+.,:=/@%^";
    g_autofree char *quoted = value[strspn(value, plain)] ? g_shell_quote(value) : g_strdup(value);
    g_ptr_array_add(out, g_strdup_printf("--%s %s", known->name, quoted));
}

/* Of an option that was given. */
static void add_difference(const Raw *raw, const Raw *other, const Known *known, GPtrArray *out)
{
    if (known->arg == G_OPTION_ARG_NONE) {
        if (!is_given(other, known))
            g_ptr_array_add(out, g_strconcat("--", known->name, NULL));
    } else if (is_list(known)) {
        char **others = G_STRUCT_MEMBER(char **, other, known->at);
        for (char **value = G_STRUCT_MEMBER(char **, raw, known->at); *value; value++)
            if (!others || !g_strv_contains((const char *const *)others, *value))
                add_option(out, known, *value);
    } else {
        const char *value = G_STRUCT_MEMBER(char *, raw, known->at);
        if (g_strcmp0(value, G_STRUCT_MEMBER(char *, other, known->at)) != 0)
            add_option(out, known, value);
    }
}

char **raw_differences(Verb verb, const Raw *raw, const Raw *other, const char *const *without)
{
    GPtrArray *out = g_ptr_array_new();
    for (guint i = 0; i < G_N_ELEMENTS(OPTIONS) - 1; i++)
        if (OPTIONS[i].verbs & 1U << verb && is_given(raw, &OPTIONS[i]) &&
            !g_strv_contains(without, OPTIONS[i].name))
            add_difference(raw, other, &OPTIONS[i], out);
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_free(out, FALSE);
}
