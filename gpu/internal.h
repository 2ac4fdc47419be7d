/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of gpu/ share. Internal to the library.
 */
#ifndef PIPESIM_GPU_INTERNAL_H
#define PIPESIM_GPU_INTERNAL_H

#include "gpu/gpu-fields.h" /* made of gpu.fields */
#include "gpu/gpu.h"

#define PS_GPU_NS "urn:pipesim:gpu:1"

/* The schema, made of gpu.rng.in and gpu.fields, as a string (make/build.mk). */
extern const char ps_gpu_rng[];

/* Items of a description by name; NULL, or -1, if there is none. */
const PsClass *ps_gpu_find_class(const PsGpu *gpu, const char *name);
const PsDefaultClass *ps_gpu_find_default(const PsGpu *gpu, const char *kind);
int ps_gpu_find_pipeline(const PsGpu *gpu, const char *name);

/* The names of all pipelines, for messages: "alu, local". Free with g_free. */
char *ps_gpu_pipeline_names(const PsGpu *gpu);

/* Bytes of local memory that a group takes, with the system's own. */
gint64 ps_gpu_local_memory_per_group(const PsGpu *gpu, const PsGroupNeeds *needs);

/* The types of members of descriptions, which are all of base/fields.h. */
#define PS_FIELD_OWN_TYPES

/* Resolves extends="NAME": takes a document and gives one with all that its families state
 * (ps_xml_free). A document without families is returned as it is. folders (NULL or ended by NULL)
 * have families, besides those beside the file. NULL and *error, with file and line, if a family is
 * not there, is no family, or includes itself, or if an override does not say what it replaces or
 * where it is from. */
xmlDoc *ps_gpu_inherit(xmlDoc *doc, const char *const *folders, GError **error);

/* 86 for an element's compute-capability="8.6"; 0 if it has none. */
guint ps_gpu_read_capability(const xmlNode *root);

/* The figures by which a GPU is known. */
typedef struct {
    char *name;       /* "A100 SXM4 40GB" (g_free) */
    guint capability; /* as in PsGpu */
    gint64 memory;    /* MiB; 0 if it is not stated */
} PsGpuTitle;

/* Reads these figures of a description and its families, in a tenth of the time of
 * ps_gpu_parse_with. No schema is checked, so everything else in the text may be wrong. FALSE if
 * the text is no GPU's. */
gboolean ps_gpu_read_title(const char *text, gsize length, const char *name,
                           const char *const *folders, PsGpuTitle *title);

/* Sources of those figures of an element that come from another file than the element. */
gboolean ps_gpu_read_kept_sources(PsGpu *gpu, const xmlNode *element, GError **error);

/* Reads the attributes of an element into its struct, and the sources of such figures. Checks that
 * the sources exist. */
gboolean ps_gpu_read_fields(PsGpu *gpu, const PsFields *fields, const xmlNode *element, void *to,
                            GError **error);

/* A figure whose source is not that of the rest of its element. who: "who saw that clock". */
typedef struct {
    const char *figure, *source, *who;
    gboolean stated;
    const char *id; /* NULL: no source is stated */
} PsOwnSource;

/* Such a figure and its source must stand together. */
gboolean ps_gpu_check_own_source(const PsGpu *gpu, const xmlNode *element, const PsOwnSource *own,
                                 GError **error);

/* The line of an element for messages that name the description's file: 0 if it is a family's. */
int ps_gpu_own_line(const xmlNode *element);

/* Reads <class> with its table, once pipelines and sources are known. */
gboolean ps_gpu_read_class(PsGpu *gpu, const xmlNode *element, GError **error);

/* Read <memory> with its levels, <atomics> and <local-memory>, once pipelines and sources are
 * known. */
gboolean ps_gpu_read_memory(PsGpu *gpu, const xmlNode *element, GError **error);
gboolean ps_gpu_read_atomics(PsGpu *gpu, const xmlNode *element, GError **error);
gboolean ps_gpu_read_local(PsGpu *gpu, const xmlNode *element, GError **error);

/* Reads the attribute `pipeline` of an element, which messages call `what`, once pipelines are
 * known. */
gboolean ps_gpu_read_pipeline_name(const PsGpu *gpu, const xmlNode *element, const char *what,
                                   guint *pipeline, GError **error);

/* The latencies that <local-memory> gives to a class; FALSE if it does not serve the class. */
gboolean ps_gpu_local_rule(const PsLocalMemory *local, const char *asked, PsLatency *latency);

/* Read <overheads>, <host-link>, and <model> once that and the chip are known. */
gboolean ps_gpu_read_overheads(PsGpu *gpu, const xmlNode *element, GError **error);
gboolean ps_gpu_read_host_link(PsGpu *gpu, const xmlNode *element, GError **error);
gboolean ps_gpu_read_model(PsGpu *gpu, const xmlNode *element, GError **error);

#endif
