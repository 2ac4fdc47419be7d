/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Line tables, as the DWARF standard has them (versions 2 to 4, section 6.2): units, each a header
 * with names of files and a program for a small machine, which writes rows: from this address on,
 * that line of that file. Programs for several kernels stand in one table, all with addresses from
 * 0 on; a relocation says which kernel an address is of. That is why libdw does not read them: it
 * sorts all rows by address, and knows no table but .debug_line.
 */
#include "sass/lines.h"

#include <string.h>

/* Rows without a statement. */
#define NO_ROW 0

typedef struct {
    guint file;
    int line;
    guint call;    /* number of the call among the lines' calls */
    gboolean ends; /* the sequence ends before that address */
} Row;

/* A row of the sequence that is being read: what is inlined there refers to it. */
typedef struct {
    guint file;
    int line;
    guint call;   /* call by which it was inlined here */
    guint inside; /* call for what is inlined here; 0: none yet */
} Site;

/* The remaining bytes; behind them everything is 0. */
typedef struct {
    const guint8 *at, *end;
    gboolean over; /* a read went beyond the end */
} Bytes;

/* A table, while it is read for one kernel. */
typedef struct {
    const PsSassTable *table;
    guint kernel;
    PsSassLines *lines;
    GHashTable *starts;  /* place of an address in the table -> PsSassStart */
    GHashTable *numbers; /* name of a file -> number among the lines' files */
    GArray *rows;        /* Row, from 1 on */
    guint *row_at;       /* [instruction]: its row */
    /* the unit's */
    guint step, opcodes, range;
    int base;
    const guint8 *lengths; /* lengths of standard opcodes, from 1 on */
    GArray *stamps;        /* PsPtxStamp of each of the unit's files */
    GPtrArray *folders, *files;
    /* the machine's */
    gboolean here; /* the address is in the kernel */
    guint64 address;
    GArray *sites; /* Site, of the sequence so far */
    guint call;    /* call at which the function was inlined; 0: none */
    guint64 file;  /* of the unit's, from 1 */
    guint64 line;  /* which may have been below 0 */
} Reading;

/* ---- bytes ---------------------------------------------------------------------------------- */

static guint64 take(Bytes *bytes, guint n)
{
    guint64 value = 0;
    if ((gsize)(bytes->end - bytes->at) < n) {
        bytes->over = TRUE;
        bytes->at = bytes->end;
        return 0;
    }
    for (guint i = 0; i < n; i++)
        value |= (guint64)bytes->at[i] << (8 * i);
    bytes->at += n;
    return value;
}

/* Numbers of any length, 7 bits a byte, the last without the highest bit (LEB128). */
static guint64 take_number(Bytes *bytes, guint *n_bits)
{
    guint64 value = 0, byte;
    guint shift = 0;
    do {
        byte = take(bytes, 1);
        value |= shift < 64 ? (byte & 127) << shift : 0;
        shift += 7;
    } while (byte & 128);
    *n_bits = shift;
    return value;
}

static guint64 take_unsigned(Bytes *bytes)
{
    guint n_bits;
    return take_number(bytes, &n_bits);
}

static gint64 take_signed(Bytes *bytes)
{
    guint n_bits;
    const guint64 value = take_number(bytes, &n_bits);
    const gboolean negative = n_bits < 64 && value >> (n_bits - 1) & 1;
    return (gint64)(negative ? value | G_MAXUINT64 << n_bits : value);
}

static const char *take_text(Bytes *bytes)
{
    const char *text = (const char *)bytes->at;
    const guint8 *end = memchr(bytes->at, '\0', (gsize)(bytes->end - bytes->at));
    if (!end) {
        bytes->over = TRUE;
        bytes->at = bytes->end;
        return "";
    }
    bytes->at = end + 1;
    return text;
}

/* The next n bytes, as far as they exist. */
static Bytes take_bytes(Bytes *bytes, guint64 n)
{
    const gsize left = (gsize)(bytes->end - bytes->at);
    Bytes part = {bytes->at, bytes->at + MIN(n, left), n > left};
    bytes->over = part.over;
    bytes->at = part.end;
    return part;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* The number of the unit's file among all files. */
static guint number_of_file(Reading *reading, guint64 file)
{
    if (file == 0 || file > reading->files->len)
        return 0;
    const char *name = reading->files->pdata[file - 1];
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(reading->numbers, name));
    if (number > 0)
        return number;
    char *own = g_strdup(name);
    g_ptr_array_add(reading->lines->files, own);
    g_hash_table_insert(reading->numbers, own, GUINT_TO_POINTER(reading->lines->files->len));
    return reading->lines->files->len;
}

static int line_of(const Reading *reading)
{
    return (int)CLAMP((gint64)reading->line, 0, G_MAXINT);
}

/* The last row for an address counts; the end of one sequence there is void if another begins. */
static void add_row(Reading *reading, gboolean ends)
{
    const guint64 at = reading->address / PS_SASS_BYTES;
    if (!reading->here || reading->address % PS_SASS_BYTES != 0 || at >= reading->lines->n ||
        (ends && reading->row_at[at] != NO_ROW))
        return;
    const Row row = {number_of_file(reading, reading->file), line_of(reading), reading->call, ends};
    reading->row_at[at] = reading->rows->len;
    g_array_append_val(reading->rows, row);
}

static void add_site(Reading *reading)
{
    const Site site = {reading->here ? number_of_file(reading, reading->file) : 0, line_of(reading),
                       reading->call, 0};
    g_array_append_val(reading->sites, site);
}

/* From here on rows belong to a function that was inlined at that row of the sequence, from 1 on;
 * 0: to none. */
static void set_call(Reading *reading, guint64 row)
{
    GArray *calls = reading->lines->calls;
    reading->call = 0;
    if (row == 0 || row > reading->sites->len || !reading->here)
        return;
    Site *site = &g_array_index(reading->sites, Site, row - 1);
    if (site->inside == 0) {
        const PsSassCall call = {site->file, site->line, site->call};
        site->inside = calls->len;
        g_array_append_val(calls, call);
    }
    reading->call = site->inside;
}

/* ---- the machine ---------------------------------------------------------------------------- */

static void begin_sequence(Reading *reading)
{
    reading->here = FALSE;
    reading->address = 0;
    reading->file = 1;
    reading->line = 1;
    reading->call = 0;
    g_array_set_size(reading->sites, 0);
}

/* Sets an address; its relocation tells the kernel. */
static void set_address(Reading *reading, const guint8 *at)
{
    const gsize offset = (gsize)(at - reading->table->bytes.bytes);
    const PsSassStart *start = g_hash_table_lookup(reading->starts, GSIZE_TO_POINTER(offset));
    reading->here = start && start->kernel == reading->kernel;
    reading->address = start ? start->value : 0;
}

static void run_extended(Reading *reading, Bytes *program)
{
    enum { END_SEQUENCE = 1, SET_ADDRESS = 2, INLINED_CALL = 0x90 /* NVIDIA's */ };
    Bytes operands = take_bytes(program, take_unsigned(program));
    const guint64 opcode = take(&operands, 1);
    if (opcode == END_SEQUENCE) {
        add_row(reading, TRUE);
        begin_sequence(reading);
    } else if (opcode == SET_ADDRESS) {
        set_address(reading, operands.at);
    } else if (opcode == INLINED_CALL) {
        set_call(reading, take_unsigned(&operands));
    } /* others change no line */
}

static void advance(Reading *reading, guint64 steps)
{
    reading->address += steps * reading->step;
}

static void run_special(Reading *reading, guint opcode)
{
    const guint adjusted = opcode - reading->opcodes;
    advance(reading, adjusted / reading->range);
    reading->line += (guint64)(gint64)(reading->base + (int)(adjusted % reading->range));
    add_row(reading, FALSE);
    add_site(reading);
}

static void run_standard(Reading *reading, guint opcode, Bytes *program)
{
    enum { COPY = 1, ADVANCE, ADVANCE_LINE, SET_FILE, ADD_CONSTANT = 8, ADD_FIXED };
    switch (opcode) {
    case COPY:
        add_row(reading, FALSE);
        add_site(reading);
        break;
    case ADVANCE:
        advance(reading, take_unsigned(program));
        break;
    case ADVANCE_LINE:
        reading->line += (guint64)take_signed(program);
        break;
    case SET_FILE:
        reading->file = take_unsigned(program);
        break;
    case ADD_CONSTANT:
        advance(reading, (255 - reading->opcodes) / reading->range);
        break;
    case ADD_FIXED:
        reading->address += take(program, 2);
        break;
    default: /* columns and the like */
        for (guint i = 0; i < reading->lengths[opcode - 1]; i++)
            take_unsigned(program);
    }
}

static void run(Reading *reading, Bytes *program)
{
    begin_sequence(reading);
    while (program->at < program->end && !program->over) {
        const guint opcode = (guint)take(program, 1);
        if (opcode >= reading->opcodes)
            run_special(reading, opcode);
        else if (opcode > 0)
            run_standard(reading, opcode, program);
        else
            run_extended(reading, program);
    }
}

/* ---- units ---------------------------------------------------------------------------------- */

/* Names up to an empty one. */
static void read_names(Reading *reading, Bytes *header)
{
    const char *name;
    while (*(name = take_text(header)))
        g_ptr_array_add(reading->folders, (gpointer)name);
    while (*(name = take_text(header))) {
        const guint64 folder = take_unsigned(header);
        PsPtxStamp stamp = {.time = take_unsigned(header)};
        stamp.size = take_unsigned(header);
        g_array_append_val(reading->stamps, stamp);
        g_ptr_array_add(reading->files,
                        folder > 0 && folder <= reading->folders->len
                            ? g_build_filename(reading->folders->pdata[folder - 1], name, NULL)
                            : g_strdup(name));
    }
}

/* Reads the unit's header. Folders and files are set in any case, for clear_unit. FALSE: its
 * version is unknown, or it is damaged. */
static gboolean read_header(Reading *reading, Bytes *unit)
{
    enum { OLDEST = 2, WITH_OPERATIONS = 4 };
    reading->folders = g_ptr_array_new();
    reading->files = g_ptr_array_new_with_free_func(g_free);
    reading->stamps = g_array_new(FALSE, FALSE, sizeof(PsPtxStamp));
    const guint64 version = take(unit, 2);
    if (version < OLDEST || version > WITH_OPERATIONS)
        return FALSE;
    Bytes header = take_bytes(unit, take(unit, 4));
    reading->step = (guint)take(&header, 1);
    if (version == WITH_OPERATIONS)
        take(&header, 1);
    take(&header, 1); /* whether rows begin as statements */
    const int base = (int)take(&header, 1);
    reading->base = base > G_MAXINT8 ? base - G_MAXUINT8 - 1 : base;
    reading->range = (guint)take(&header, 1);
    reading->opcodes = (guint)take(&header, 1);
    if (reading->range == 0 || reading->opcodes == 0)
        return FALSE;
    const Bytes lengths = take_bytes(&header, reading->opcodes - 1);
    reading->lengths = lengths.at;
    read_names(reading, &header);
    return !header.over && !lengths.over;
}

static void clear_unit(Reading *reading)
{
    g_clear_pointer(&reading->folders, g_ptr_array_unref);
    g_clear_pointer(&reading->files, g_ptr_array_unref);
    g_clear_pointer(&reading->stamps, g_array_unref);
}

static void read_table(Reading *reading)
{
    const PsSassBytes *table = &reading->table->bytes;
    const GArray *starts = reading->table->starts;
    Bytes bytes = {table->bytes, table->bytes + table->size, FALSE};
    g_hash_table_remove_all(reading->starts);
    for (guint i = 0; i < starts->len; i++) {
        PsSassStart *start = &g_array_index(starts, PsSassStart, i);
        g_hash_table_insert(reading->starts, GSIZE_TO_POINTER(start->at), start);
    }
    while (bytes.at < bytes.end) {
        Bytes unit = take_bytes(&bytes, take(&bytes, 4));
        if (read_header(reading, &unit))
            run(reading, &unit);
        clear_unit(reading);
    }
}

/* Keeps a file's name and stamp, unless they are known. */
static void keep_file(const Reading *reading, guint number, GPtrArray *files, GHashTable *stamps)
{
    const char *name = reading->files->pdata[number];
    if (g_ptr_array_find_with_equal_func(files, name, g_str_equal, NULL))
        return;
    g_ptr_array_add(files, g_strdup(name));
    if (stamps)
        g_hash_table_insert(
            stamps, g_strdup(name),
            g_memdup2(&g_array_index(reading->stamps, PsPtxStamp, number), sizeof(PsPtxStamp)));
}

GPtrArray *ps_sass_files(const PsSassImage *image, GHashTable *stamps)
{
    const PsSassBytes *table = &image->tables[PS_SASS_OF_SOURCE].bytes;
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
    Bytes bytes = {table->bytes, table->bytes ? table->bytes + table->size : NULL, FALSE};
    while (bytes.at < bytes.end) {
        Reading reading = {.step = 0};
        Bytes unit = take_bytes(&bytes, take(&bytes, 4));
        const gboolean good = read_header(&reading, &unit);
        for (guint i = 0; good && i < reading.files->len; i++)
            keep_file(&reading, i, files, stamps);
        clear_unit(&reading);
    }
    return files;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Each instruction's row is the last one at or before it; if that has no line, the last one with a
 * line. */
static void spread(const Reading *reading, PsSassTableOf of)
{
    guint row = NO_ROW, with_line = NO_ROW;
    for (guint i = 0; i < reading->lines->n; i++) {
        row = reading->row_at[i] != NO_ROW ? reading->row_at[i] : row;
        const Row *is = &g_array_index(reading->rows, Row, row);
        with_line = is->line > 0 ? row : is->ends ? NO_ROW : with_line;
        PsSassPlace *place = &reading->lines->places[i];
        if (is->ends)
            continue;
        if (of == PS_SASS_OF_PTX) {
            place->ptx_line = is->line;
        } else {
            const Row *line = &g_array_index(reading->rows, Row, with_line);
            place->line = line->line;
            place->file = line->file;
            place->call = line->call;
            place->near = with_line != row;
        }
    }
}

PsSassLines *ps_sass_lines_new(const PsSassImage *image, const PsSassKernel *kernel)
{
    PsSassLines *lines = g_new0(PsSassLines, 1);
    const Row none = {.ends = TRUE};
    g_autoptr(GArray) sites = g_array_new(FALSE, FALSE, sizeof(Site));
    g_autoptr(GHashTable) starts = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) numbers = g_hash_table_new(g_str_hash, g_str_equal);
    Reading reading = {.lines = lines, .starts = starts, .numbers = numbers, .sites = sites};
    lines->files = g_ptr_array_new_with_free_func(g_free);
    lines->n = (guint)(kernel->text.size / PS_SASS_BYTES);
    lines->places = g_new0(PsSassPlace, lines->n + 1);
    lines->calls = g_array_new(FALSE, TRUE, sizeof(PsSassCall));
    g_array_set_size(lines->calls, 1);
    for (guint of = 0; of < PS_SASS_N_TABLES; of++) {
        if (!image->tables[of].bytes.bytes ||
            !g_ptr_array_find(image->kernels, kernel, &reading.kernel))
            continue;
        g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Row));
        g_autofree guint *row_at = g_new0(guint, lines->n + 1);
        g_array_append_val(rows, none);
        reading.table = &image->tables[of];
        reading.rows = rows;
        reading.row_at = row_at;
        read_table(&reading);
        spread(&reading, (PsSassTableOf)of);
    }
    return lines;
}

void ps_sass_lines_free(PsSassLines *lines)
{
    if (!lines)
        return;
    g_ptr_array_unref(lines->files);
    g_free(lines->places);
    g_array_unref(lines->calls);
    g_free(lines);
}

static gboolean is_in(const PsSassLines *lines, guint number, const char *file)
{
    g_autofree char *plain =
        number > 0 ? g_path_get_basename(lines->files->pdata[number - 1]) : NULL;
    return g_strcmp0(plain, file) == 0;
}

PsSassPlace ps_sass_place_in(const PsSassLines *lines, guint instruction, const char *file)
{
    PsSassPlace place = lines->places[instruction];
    while (place.call > 0 && !is_in(lines, place.file, file)) {
        const PsSassCall *call = &g_array_index(lines->calls, PsSassCall, place.call);
        place.file = call->file;
        place.line = call->line;
        place.call = call->call;
    }
    return place;
}
