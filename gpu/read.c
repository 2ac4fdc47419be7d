/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a file into a description. The schema (gpu/gpu.fields) has checked names, numbers and
 * obligations; this file checks references within the file. Elements may stand in any order: the
 * file is read in rounds, and each round needs only earlier ones.
 */
#include "base/file.h"
#include "base/source-xml.h"
#include "gpu/internal.h"
#include "gpu/rows.h"

static gboolean read_source(PsGpu *gpu, const xmlNode *element, GError **error)
{
    return ps_source_read(element, gpu->sources, error);
}

static gboolean check(const xmlNode *element, const char *wrong, GError **error)
{
    if (wrong)
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element), "%s", wrong);
    return !wrong;
}

static gboolean check_chip(const PsGpu *gpu, const xmlNode *element, GError **error)
{
    const gboolean is_slow =
        gpu->boost_clock.num && ps_rational_cmp(gpu->boost_clock, gpu->clock) < 0;
    return check(element,
                 is_slow ? "<chip> has a boost clock below the base clock: correct 'clock' or "
                           "'boost-clock'"
                         : NULL,
                 error);
}

/* One group or one thread may not have more than a compute unit has. */
static gboolean check_limits(const PsLimits *limits, const xmlNode *element, GError **error)
{
    const char *wrong = NULL;
    if (limits->local_memory && limits->local_memory_per_group > limits->local_memory)
        wrong = "<limits> gives a group more local memory than a compute unit has: correct "
                "'local-memory-per-group' or 'local-memory'";
    else if (limits->registers && limits->registers_per_thread > limits->registers)
        wrong = "<limits> gives a thread more registers than a compute unit has: correct "
                "'registers-per-thread' or 'registers'";
    else if (limits->registers && limits->register_unit > limits->registers)
        wrong = "<limits> gives out more registers at once than a compute unit has: correct "
                "'register-unit' or 'registers'";
    return check(element, wrong, error);
}

static gboolean read_chip(PsGpu *gpu, const xmlNode *element, GError **error)
{
    if (!ps_gpu_read_fields(gpu, &ps_gpu_fields_chip, element, gpu, error))
        return FALSE;
    const PsOwnSource clock = {"load-clock", "load-source", "who saw that clock",
                               gpu->load_clock.num > 0, gpu->load_source};
    const PsOwnSource power = {"power-clock", "power-source", "who saw that clock",
                               gpu->power_clock.num > 0, gpu->power_source};
    const PsOwnSource memory = {"memory", "memory-source", "who says how much",
                                gpu->device_memory > 0, gpu->memory_source};
    return ps_gpu_check_own_source(gpu, element, &clock, error) &&
           ps_gpu_check_own_source(gpu, element, &power, error) &&
           ps_gpu_check_own_source(gpu, element, &memory, error) && check_chip(gpu, element, error);
}

static gboolean read_limits(PsGpu *gpu, const xmlNode *element, GError **error)
{
    gpu->limits.line = ps_gpu_own_line(element);
    return ps_gpu_read_fields(gpu, &ps_gpu_fields_limits, element, gpu, error) &&
           check_limits(&gpu->limits, element, error);
}

static gboolean read_cache(PsGpu *gpu, const xmlNode *element, GError **error)
{
    g_autofree char *global = ps_xml_text(element, "l1-global");
    const PsPlace place = ps_xml_place(element);
    if (!ps_gpu_read_fields(gpu, &ps_gpu_fields_cache, element, gpu, error))
        return FALSE;
    if (gpu->memory.levels) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "<cache> says what the levels of <memory> say, too: remove it");
        return FALSE;
    }
    gpu->cache.l1_global = gpu->cache.l1 && g_strcmp0(global, "off") != 0;
    if (gpu->cache.l1 || (gpu->cache.l2 && !global))
        return TRUE;
    ps_error_at(error, PS_ERROR_VALUE, place,
                global ? "<cache> says what L1 keeps, but not how many bytes it has; add l1"
                       : "<cache> needs the attribute 'l1' or 'l2', or both");
    return FALSE;
}

static gboolean read_pipeline(PsGpu *gpu, const xmlNode *element, GError **error)
{
    g_autofree char *name = ps_xml_text(element, "name");
    g_autofree char *per = ps_xml_text(element, "per");
    if (ps_gpu_find_pipeline(gpu, name) >= 0) {
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element),
                    "there are two pipelines with the name '%s'", name);
        return FALSE;
    }
    if (g_strcmp0(per, "scheduler") == 0 && gpu->schedulers == 0) {
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element),
                    "there is one pipeline '%s' per scheduler, but <chip> does not say how many "
                    "schedulers there are",
                    name);
        return FALSE;
    }
    PsPipeline *pipeline = ps_gpu_add_pipeline(gpu, name);
    if (!ps_gpu_read_fields(gpu, &ps_gpu_fields_pipeline, element, pipeline, error))
        return FALSE;
    const PsOwnSource queue = {"queue", "queue-source", "who says how many", pipeline->queue > 0,
                               pipeline->queue_source};
    return ps_gpu_check_own_source(gpu, element, &queue, error);
}

static gboolean read_default(PsGpu *gpu, const xmlNode *element, GError **error)
{
    g_autofree char *kind = ps_xml_text(element, "kind");
    g_autofree char *class_name = ps_xml_text(element, "class");
    PsPlace place = ps_xml_place(element);
    if (ps_gpu_find_default(gpu, kind)) {
        ps_error_at(error, PS_ERROR_VALUE, place, "there are two defaults for the kind '%s'", kind);
        return FALSE;
    }
    if (!ps_gpu_find_class(gpu, class_name)) {
        g_autofree char *names = ps_gpu_class_names(gpu);
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "the default for the kind '%s' is the class '%s', which is not there; the file "
                    "has: %s",
                    kind, class_name, *names ? names : "no classes");
        return FALSE;
    }
    PsDefaultClass *fallback = g_new0(PsDefaultClass, 1);
    fallback->line = place.line;
    g_ptr_array_add(gpu->defaults, fallback);
    return ps_fields_read(&ps_gpu_fields_default, element, fallback, error);
}

/* A rate per cycle and compute unit becomes a rate per second of the whole GPU, at the base
 * clock. */
static gboolean read_per_cu(const PsGpu *gpu, const xmlNode *element, PsPeak *peak, GError **error)
{
    PsRational rate = PS_RATIONAL_INT(0);
    if (!ps_xml_decimal(element, "per-cu", &rate, error))
        return FALSE;
    if (rate.num == 0)
        return TRUE;
    const char *wrong = NULL;
    if (peak->datasheet.num > 0)
        wrong = "states a data sheet's figure and one per compute unit: leave out 'datasheet' or "
                "'per-cu'";
    else if (!ps_rational_mul(rate, PS_RATIONAL_INT(gpu->compute_units), &rate) ||
             !ps_rational_mul(rate, gpu->clock, &rate) ||
             !ps_rational_div(rate, PS_RATIONAL_INT(1000), &peak->datasheet))
        wrong = "takes fractions beyond 64 bits: use fewer decimals";
    if (wrong)
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element), "the peak '%s' %s", peak->name,
                    wrong);
    return !wrong;
}

static gboolean read_peak(PsGpu *gpu, const xmlNode *element, GError **error)
{
    g_autofree char *name = ps_xml_text(element, "name");
    PsPlace place = ps_xml_place(element);
    if (ps_gpu_peak(gpu, name)) {
        ps_error_at(error, PS_ERROR_VALUE, place, "there are two peaks with the name '%s'", name);
        return FALSE;
    }
    PsPeak *peak = g_new0(PsPeak, 1);
    g_ptr_array_add(gpu->peaks, peak);
    peak->name = g_steal_pointer(&name);
    ps_fields_init(&ps_gpu_fields_peak, peak);
    peak->line = place.line;
    if (!ps_gpu_read_fields(gpu, &ps_gpu_fields_peak, element, peak, error) ||
        !read_per_cu(gpu, element, peak, error))
        return FALSE;
    if (peak->value.num > 0 || peak->datasheet.num > 0)
        return TRUE;
    ps_error_at(error, PS_ERROR_VALUE, place,
                "<peak> needs the attribute 'value', 'datasheet' or 'per-cu'");
    return FALSE;
}

/* The rounds of reading. most: how often the element may stand in a file; after: computes what
 * follows from everything read so far, or NULL. */
static const struct {
    const char *element;
    guint least, most;
    gboolean (*read)(PsGpu *gpu, const xmlNode *element, GError **error);
    gboolean (*after)(PsGpu *gpu, GError **error);
} rounds[] = {
    {"source", 0, PS_SOURCES_MOST, read_source, NULL},
    {"chip", 1, 1, read_chip, NULL},
    {"limits", 0, 1, read_limits, NULL},
    {"pipeline", 0, 1000, read_pipeline, NULL},
    {"memory", 0, 1, ps_gpu_read_memory, NULL},
    {"atomics", 0, 1, ps_gpu_read_atomics, NULL},
    {"local-memory", 0, 1, ps_gpu_read_local, NULL},
    {"cache", 0, 1, read_cache, NULL},
    {"class", 0, 10000, ps_gpu_read_class, ps_gpu_derive},
    {"default", 0, 1000, read_default, NULL},
    {"peak", 0, 1000, read_peak, NULL},
    {"overheads", 0, 1, ps_gpu_read_overheads, NULL},
    {"host-link", 0, 1, ps_gpu_read_host_link, NULL},
    {"model", 0, 1, ps_gpu_read_model, NULL},
};

static gboolean read_round(PsGpu *gpu, const xmlNode *root, guint round, GError **error)
{
    guint n = 0;
    for (const xmlNode *part = ps_xml_first(root); part; part = ps_xml_next(part)) {
        if (!ps_xml_is(part, rounds[round].element))
            continue;
        if (++n > rounds[round].most) {
            g_autofree char *most = g_strdup_printf("%u", rounds[round].most);
            ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(part), "<gpu> may have only %s <%s>",
                        rounds[round].most == 1 ? "one" : most, rounds[round].element);
            return FALSE;
        }
        if (!rounds[round].read(gpu, part, error))
            return FALSE;
    }
    if (n >= rounds[round].least)
        return TRUE;
    ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(root), "<gpu> needs a <%s> in it",
                rounds[round].element);
    return FALSE;
}

static gboolean read_parts(PsGpu *gpu, const xmlNode *root, GError **error)
{
    for (guint round = 0; round < G_N_ELEMENTS(rounds); round++) {
        if (!read_round(gpu, root, round, error) ||
            (rounds[round].after && !rounds[round].after(gpu, error)))
            return FALSE;
    }
    return TRUE;
}

static const PsXmlSchema schema = {"gpu", ps_gpu_rng, "gpu", PS_GPU_NS};

/* A family alone is no GPU, however complete. */
static gboolean check_root(const xmlNode *root, GError **error)
{
    if (!ps_xml_is(root, "family"))
        return TRUE;
    ps_error_at(
        error, PS_ERROR_VALUE, ps_xml_place(root),
        "this is a family and no GPU: GPUs inherit figures from it; take a GPU that extends it");
    return FALSE;
}

/* Takes ownership of the document. */
static PsGpu *read_document(xmlDoc *doc, GError **error)
{
    const xmlNode *root = xmlDocGetRootElement(doc);
    g_autofree char *name = ps_xml_text(root, "name");
    g_autoptr(PsGpu) gpu = ps_gpu_new(name);
    gpu->path = g_strdup(ps_xml_place(root).file);
    gpu->capability = ps_gpu_read_capability(root);
    gboolean ok =
        ps_fields_read(&ps_gpu_fields_gpu, root, gpu, error) && read_parts(gpu, root, error);
    ps_xml_free(doc);
    return ok ? g_steal_pointer(&gpu) : NULL;
}

PsGpu *ps_gpu_load(const char *path, GError **error)
{
    gsize length;
    g_autofree char *text = ps_file_read(path, PS_FILE_MAX_BYTES, &length, error);
    return text ? ps_gpu_parse(text, length, path, error) : NULL;
}

PsGpu *ps_gpu_parse(const char *text, gsize length, const char *name, GError **error)
{
    return ps_gpu_parse_with(text, length, name, NULL, error);
}

PsGpu *ps_gpu_parse_with(const char *text, gsize length, const char *name,
                         const char *const *folders, GError **error)
{
    xmlDoc *doc = ps_xml_parse(text, length, name, error);
    if (doc && !check_root(xmlDocGetRootElement(doc), error)) {
        ps_xml_free(doc);
        return NULL;
    }
    doc = doc ? ps_gpu_inherit(doc, folders, error) : NULL;
    if (doc && !ps_xml_validate(doc, &schema, error)) {
        ps_xml_free(doc);
        return NULL;
    }
    return doc ? read_document(doc, error) : NULL;
}
