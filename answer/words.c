/* SPDX-License-Identifier: BSD-3-Clause */
/* See words.h. */
#include "answer/words.h"

#include "idg/words.h"

#include <string.h>

char *ps_answer_class_words(const PsAnswer *answer, guint class_index)
{
    return ps_idg_class_words(answer->idg, answer->machine->classes[class_index].asked);
}

/* The name of the pipeline that serves a group's shared memory; NULL: none does. */
static const char *local_pipeline(const PsGpu *gpu)
{
    const guint pipeline = gpu->local.pipeline;
    return gpu->local.stated && pipeline < gpu->pipelines->len
               ? ((const PsPipeline *)gpu->pipelines->pdata[pipeline])->name
               : NULL;
}

char *ps_answer_pipeline_words(const PsAnswer *answer, const char *pipeline)
{
    const PsGpu *gpu = answer->gpu;
    const gboolean serves_both = gpu->memory.wavefront.num > 0;
    /* A description without <local-memory> has its own classes under this name. */
    const char *local = local_pipeline(gpu);
    if (strcmp(pipeline, local ? local : "local") != 0)
        return ps_text_clean(pipeline);
    if (serves_both && local)
        return g_strdup("LSU");
    return ps_idg_says_shared(answer->idg) ? g_strdup("shared") : ps_text_clean(pipeline);
}
