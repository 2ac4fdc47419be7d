/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions by which a form of paper sets each part of a page. See paper.h. */
#ifndef PIPESIM_TELL_PAPER_FORM_H
#define PIPESIM_TELL_PAPER_FORM_H

#include "tell/paper.h"

typedef struct {
    void (*title)(const PsPaper *paper, const char *name, const char *rest); /* NULL: wrapped */
    void (*heading)(const PsPaper *paper, const char *text);
    void (*preface)(const PsPaper *paper, const char *text);
    void (*part)(const PsPaper *paper, const char *text);
    void (*line)(const PsPaper *paper, const char *text);
    void (*gap)(const PsPaper *paper); /* NULL: nothing */
    void (*sentence)(const PsPaper *paper, const char *first, const char *text);
    void (*drawing)(const PsPaper *paper, const char *lines);
    void (*table)(const PsPaper *paper, const PsTable *table, guint indent);
} PaperForm;

extern const PaperForm ps_form_text, ps_form_markdown, ps_form_html;

#endif
