/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptions with a wrong memory: one error each, with its line; and random bytes in a good one.
 */
#include "base/error.h"
#include "tests/help/memory-text.h"
#include "tests/help/seeds.h"

#include <string.h>

/* ---- bad files ----------------------------------------------------------------------------- */

#define L1 "<level name='l1' bytes='65536' port='64' latency='30'/>"
#define L2 "<level name='l2' bytes='1048576' port='32' bandwidth='500' latency-ns='200'/>"
#define DEVICE "<level name='device' bandwidth='100' latency='800' at='1600' source='s'/>"
#define NEEDS_LATENCY                                                                              \
    "x.xml:7: the level 'l2' needs either 'latency', in cycles of the clock 'at' or of the "       \
    "compute unit's, or 'latency-ns'"
#define COUNTED(name)                                                                              \
    "x.xml:14: the class '" name "' says what follows from the levels of <memory>: "               \
    "remove it"
#define CLASS(name) "<class name='" name "' pipeline='global' issue='1' completion='1'/></gpu>"

static const struct {
    const char *old, *new, *message;
} bad[] = {
    {"</gpu>",
     "<class name='constant.c4' pipeline='local' issue='2' completion='9' pass='2'/></gpu>",
     "x.xml:14: the class 'constant.c4' has 'pass', but its name says how many passes it takes"},
    {"</gpu>",
     "<class name='constant' pipeline='local' issue='2' completion='9' pass='2'>"
     "<at warps='1' issue='2' completion='9'/></class></gpu>",
     "x.xml:14: the class 'constant' has 'pass' and a table over active warps"},
    {"</gpu>", "<class name='constant' pipeline='local' issue='2' completion='9' pass='0'/></gpu>",
     "x.xml:14: "},
    {L1 "\n" L2, L2 "\n" L1,
     "x.xml:7: the level 'l1' comes after 'l2': levels stand from the compute unit outwards, l0, "
     "l1, "
     "l2, l3, l4, device"},
    {L1 "\n", L1 "\n" L1 "\n", "x.xml:7: there are two levels 'l1', the first in line 6"},
    {DEVICE, "",
     "x.xml:5: <memory> needs the level 'device' as its last: every access may get "
     "there"},
    {DEVICE, DEVICE L2, "x.xml:8: the level 'l2' comes after 'device'"},
    {"bytes='65536' ", "", "x.xml:6: the level 'l1' needs its capacity: add 'bytes'"},
    {"bytes='65536'", "bytes='65537'",
     "x.xml:6: the level 'l1' has a capacity that is no multiple of the line's bytes: correct "
     "'bytes', or 'line' of <memory>"},
    {"bytes='65536'", "bytes='0'", "x.xml:6: <level> has bytes=\"0\""},
    {"'device' ", "'device' bytes='128' ",
     "x.xml:8: the level 'device' has no capacity that a simulation could exhaust: leave out "
     "'bytes'"},
    {"bandwidth='500'", "",
     "x.xml:7: the level 'l2' needs 'bandwidth', the 10^9 bytes per second "
     "of all compute units together"},
    {"bandwidth='500'", "bandwidth='0'", "x.xml:7: <level> has bandwidth=\"0\""},
    {"port='64' ", "", "x.xml:6: the level 'l1' needs 'port', its bytes per cycle"},
    {"port='64'", "port='0'", "x.xml:6: <level> has port=\"0\""},
    {"port='64'", "bandwidth='64'",
     "x.xml:6: the level 'l1' belongs to one compute unit: state 'port', its bytes per cycle, in "
     "place of 'bandwidth'"},
    {"bandwidth='100'", "bandwidth='100' dirty='0.5'",
     "x.xml:8: the level 'device' has nothing to write back: 'dirty' is for a cache that all "
     "compute units share"},
    {"bandwidth='500'", "bandwidth='500' dirty='1.5'",
     "x.xml:7: the level 'l2' would write back more than it holds: 'dirty' is a share, at most 1"},
    {" latency-ns='200'", "", NEEDS_LATENCY},
    {"latency-ns='200'", "latency-ns='200' latency='200'", NEEDS_LATENCY},
    {"latency-ns='200'", "latency-ns='200' at='1600'", NEEDS_LATENCY},
    {"latency-ns='200'", "latency-ns='0'", "x.xml:7: <level> has latency-ns=\"0\""},
    {"latency-ns='200'", "latency-ns='500'",
     "x.xml:8: the level 'device' answers no later than 'l2' before it (at the base clock): "
     "latencies grow with depth"},
    {"latency='30'", "latency='201'", "x.xml:7: the level 'l2' answers no later than 'l1'"},
    {"bytes='1048576'", "bytes='32768'",
     "x.xml:7: the level 'l2' is smaller than 'l1' before it: capacities grow with depth; correct "
     "'bytes' of one of them"},
    {"port='32'", "port='500.5'",
     "x.xml:7: the level 'l2' moves less than the port of one compute unit (at the base clock): "
     "correct 'port', in bytes per cycle, or 'bandwidth', in 10^9 bytes per second of all of "
     "them"},
    {"bandwidth='100'", "bandwidth='500.5'",
     "x.xml:8: the level 'device' moves more than 'l2' before it, which all of that passes: "
     "correct 'bandwidth' of one of them"},
    {"name='l2'", "name='L2'",
     "x.xml:7: <level> has name=\"L2\", but that must be one of: l0, l1, l2, l3, l4, device"},
    {"<memory pipeline='global'", "<memory pipeline='gobal'",
     "x.xml:5: <memory> is on the pipeline 'gobal', which is not there; the file has: global, "
     "local, atomic"},
    {"<atomics pipeline='atomic'", "<atomics pipeline='at'",
     "x.xml:10: <atomics> is on the pipeline 'at', which is not there"},
    {"<local-memory pipeline='local'", "<local-memory pipeline='lo'",
     "x.xml:12: <local-memory> is on the pipeline 'lo', which is not there"},
    {"request='2'", "line='48'", "x.xml:6: the level 'l1' has a capacity that is no multiple"},
    {"request='2'", "sector='48'",
     "x.xml:5: <memory> has a line that is no multiple of its sector: correct 'line' or 'sector'"},
    {"request='2'", "fetch='48'",
     "x.xml:5: <memory> fetches what is no multiple of its sector: correct 'fetch' or 'sector'"},
    {"request='2'", "fill='48'",
     "x.xml:5: <memory> fills what is no multiple of its sector: correct 'fill' or 'sector'"},
    {"request='2'", "request='0'", "x.xml:5: <memory> has request=\"0\""},
    {"request='2'", "tag='-1'", "x.xml:5: <memory> has tag=\"-1\""},
    {"request='2'", "wavefront='0'", "x.xml:5: <memory> has wavefront=\"0\""},
    {"request='2'", "lookup='0.25'",
     "x.xml:5: <memory> says what 'lookup' takes beside wavefronts, but not what these take: add "
     "'wavefront', or leave out 'lookup'"},
    {"request='2'", "wavefront='1' lookup='1.5'",
     "x.xml:5: <memory> takes longer to look up a line than for a wavefront of it: correct "
     "'lookup' "
     "or 'wavefront'"},
    {"latency='800'", "rows='5' latency='800'",
     "x.xml:8: 'rows' and 'rows-source', who says how many, need each other"},
    {"latency='800'", "rows-source='s' latency='800'",
     "x.xml:8: 'rows' and 'rows-source', who says how many, need each other"},
    {"latency='800'", "rows='5' rows-source='t' latency='800'",
     "x.xml:8: there is no source with the id 't'"},
    {"latency='800'", "rows='0' rows-source='s' latency='800'", "x.xml:8: <level> has rows=\"0\""},
    {"name='l2'", "name='l2' rows='5' rows-source='s'",
     "x.xml:7: the level 'l2' has no rows to open, as device memory has: leave out 'rows'"},
    {"request='2'", "queue='200' window='2000'",
     "x.xml:5: <memory> says in part how loads wait at device memory that is busy: state all of "
     "'queue', 'queue-mixed' and 'window', or none"},
    {"request='2'", "queue='200' queue-mixed='199' window='2000'",
     "x.xml:5: <memory> has loads that wait less where reads and writes are mixed: make "
     "'queue-mixed' at least 'queue'"},
    {"request='2'", "queue='200' queue-mixed='300' window='299'",
     "x.xml:5: <memory> has loads that wait longer at device memory than there is work before "
     "them: make 'window' at least 'queue-mixed'"},
    {"request='2'", "wavefront='4'",
     "x.xml:5: <memory> has a port of 'l1' that moves more than a line for each wavefront: correct "
     "'port' or 'wavefront'"},
    {"</gpu>", "<cache l2='128'/></gpu>",
     "x.xml:14: <cache> says what the levels of <memory> say, too: remove it"},
    {"</gpu>", "<memory pipeline='local'>" DEVICE "</memory></gpu>",
     "x.xml:14: <gpu> may have only one <memory>"},
    {"</gpu>", CLASS("global.load.s8"), COUNTED("global.load.s8")},
    {"</gpu>", CLASS("global.store.v4"), COUNTED("global.store.v4")},
    {"</gpu>", CLASS("global.load.s8.v2"), COUNTED("global.load.s8.v2")},
    {"</gpu>", CLASS("memory.v2"), COUNTED("memory.v2")},
    {"line='0.5'", "line='0.5' block='0.5'",
     "x.xml:10: <atomics> has blocks of less than a line: make 'block' at least 1"},
    {"address='1.25' line='0.5'", "block='4'",
     "x.xml:10: <atomics> has lines that take turns, but no rate for one address: add 'address', "
     "or leave out 'block'"},
    {"address='1.25' ", "",
     "x.xml:10: <atomics> states a rate for all sectors of a line, but none for one address: add "
     "'address'"},
    {"line='0.5'", "line='1.26'",
     "x.xml:10: <atomics> serves requests to all sectors of a line faster than requests to one "
     "address: correct 'line' or 'address'"},
    {"latency='300' ", "", "x.xml:10: <atomics> needs the attribute 'latency'"},
    {"line='0.5'", "line='0.5' write='1.26'",
     "x.xml:10: <atomics> serves stores at one sector faster than atomics at one address: correct "
     "'write' or 'address'"},
    {"address='1.25' line='0.5'", "write='1'",
     "x.xml:10: <atomics> states a rate for stores at one sector, but none for one address: add "
     "'address'"},
    {"address='1.25' line='0.5'\n sectors='3' partial='20'", "rates-at='1350'",
     "x.xml:10: <atomics> states a clock for rates, but no rate: remove 'rates-at'"},
    {"partial='20'", "partial='20' loads='80'",
     "x.xml:10: <atomics> states what loads take beside stores, but no rate of stores: add "
     "'stores', or leave out 'loads'"},
    {"partial='20'", "partial='20' stores='19'",
     "x.xml:10: <atomics> takes parts of sectors faster than whole ones: correct 'partial' or "
     "'stores'"},
    {"line='0.5'", "line='0.5' rates-at='0'", "x.xml:10: <atomics> has rates-at=\"0\""},
    {"atomic='2'", "atomic='0.5'",
     "x.xml:12: <local-memory> has atomics that take less than a load: make 'atomic' at least 1"},
    {"atomic='2'", "atomic='2' atomic-issue='0.5'",
     "x.xml:12: <local-memory> has atomics that keep their pipeline for less than a load does: "
     "make 'atomic-issue' at least 1"},
    {"atomic='2'", "atomic='2' atomic-issue='2.5'",
     "x.xml:12: <local-memory> has atomics that keep their pipeline for longer than they take: "
     "correct 'atomic-issue' or 'atomic'"},
    {"atomic='2'", "atomic='2' swap='0.5'",
     "x.xml:12: <local-memory> has compare-and-swap faster than other atomics: make 'swap' at "
     "least 1"},
    {"sectors='3'", "sectors='0'", "x.xml:10: <atomics> has sectors=\"0\""},
    {"wavefront='1'", "", "x.xml:12: <local-memory> needs the attribute 'wavefront'"},
    {"least='2.1'", "least='0'", "x.xml:12: <local-memory> has least=\"0\""},
    {"' source='s'>\n", "' source='t'>\n", "x.xml:5: there is no source"},
    {"at='1600' source='s'", "source='t'", "x.xml:8: there is no source"},
    {"partial='20' source='s'", "source='t'", "x.xml:10: there is no source"},
    {"atomic='2' source='s'", "atomic='2' source='t'", "x.xml:12: there is no source"},
    {"bandwidth='100'", "bandwidth='0.000000001'",
     "x.xml:5: the latencies that follow from <memory> are above 1000000000 cycles, or take "
     "fractions beyond 64 bits: use fewer decimals"},
    {"atomic='2'", "atomic='1000000000'",
     "x.xml:12: the latencies that follow from <local-memory> are above 1000000000 cycles"},
    {"</gpu>", "<overheads turnaround='-1'/></gpu>", "x.xml:14: <overheads> has turnaround=\"-1\""},
    {"</gpu>", "<overheads kernel-launch='2' timer='1.5'/></gpu>",
     "x.xml:14: <overheads> has a timer that counts less than the launch in it: make 'timer' at "
     "least 'kernel-launch'"},
    {"</gpu>", "<overheads kernel-launch='2' in-graph='2.5'/></gpu>",
     "x.xml:14: <overheads> has launches that take longer in a graph than alone: make 'in-graph' "
     "at most 'kernel-launch'"},
    {"</gpu>", "<host-link to-device='1'/></gpu>", "x.xml:14: <host-link>"},
    {"</gpu>", "<overheads dispatch='x'/></gpu>", "x.xml:14: <overheads> has dispatch=\"x\""},
    {"</gpu>", "<model levels='yes'/></gpu>", "x.xml:14: <model> has levels=\"yes\""},
};

static void test_bad(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PsGpu) gpu = memory_parse_with(bad[i].old, bad[i].new, &error);
        g_assert_null(gpu);
        g_assert_true(error && error->domain == PS_ERROR);
        if (error && !g_str_has_prefix(error->message, bad[i].message))
            g_assert_cmpstr(error->message, ==, bad[i].message);
    }
}

/* Without <memory> neither atomics nor the model can speak of levels. */
static void test_no_memory(void)
{
    static const struct {
        const char *more, *message;
    } cases[] = {{"<model levels='on'/>",
                  "x.xml:3: <model> asks for levels, but there is no <memory> that states them; "
                  "add it, or say levels=\"off\""},
                 {"<atomics pipeline='a' latency='1'/>",
                  "x.xml:3: <atomics> adds to <memory>, which is not there: add it, or state a "
                  "<class> 'atomic' instead"},
                 {"<memory pipeline='a'/>", "x.xml:3: <memory> "}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf("<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Test'>\n"
                            "<chip compute-units='1' clock='1' warp-size='32'/>\n"
                            "%s<pipeline name='a'/></gpu>",
                            cases[i].more);
        g_autoptr(GError) error = NULL;
        g_autoptr(PsGpu) gpu = memory_parse(text, &error);
        g_assert_null(gpu);
        if (!error || !g_str_has_prefix(error->message, cases[i].message))
            g_assert_cmpstr(error ? error->message : NULL, ==, cases[i].message);
    }
}

/* One byte of the good text changed: one error, or a description that is written and read back. */
static gboolean check_mutated(guint32 seed, gpointer data)
{
    (void)data;
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup(memory_good);
    const gsize length = strlen(text);
    text[g_rand_int_range(rand, 0, (gint32)length)] = (char)g_rand_int_range(rand, 1, 128);
    g_autoptr(PsGpu) gpu = ps_gpu_parse(text, length, "x.xml", &error);
    g_assert_true((gpu == NULL) == (error != NULL));
    if (!gpu)
        return TRUE;
    g_autofree char *once = ps_gpu_write(gpu);
    g_autoptr(PsGpu) again = memory_parse(once, &error);
    g_assert_no_error(error);
    g_autofree char *twice = again ? ps_gpu_write(again) : NULL;
    g_assert_cmpstr(once, ==, twice);
    return TRUE;
}

static void test_mutated(void)
{
    seeds_check((SeedCounts){2000, 100}, check_mutated, NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/gpu-memory/bad", test_bad);
    g_test_add_func("/gpu-memory/no-memory", test_no_memory);
    g_test_add_func("/gpu-memory/mutated", test_mutated);
    return g_test_run();
}
