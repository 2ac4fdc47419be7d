/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cubins: the file, its sections, and values of variables. Nothing in a file is trusted: every
 * offset and size is checked against the section that it points into.
 */
#include "sass/image-private.h"

#include "sass/join.h"
#include "sass/storage.h"

#include <string.h>

gboolean ps_sass_is_image(const void *bytes, gsize size)
{
    const guint8 *header = bytes;
    return size > sizeof(Elf64_Ehdr) && memcmp(header, ELFMAG, SELFMAG) == 0 &&
           header[18] == (EM_CUDA & 255) && header[19] == EM_CUDA >> 8;
}

guint64 ps_sass_system_bytes(const PsSassImage *image)
{
    enum { FIRST_WITH_OWN = 90, OWN = 1024 };
    return image->capability >= FIRST_WITH_OWN ? OWN : 0;
}

/* ---- sections ------------------------------------------------------------------------------- */

/* Called for every section that has a name. */
typedef gboolean (*Visit)(PsSassReading *reading, Elf_Scn *section, const GElf_Shdr *header,
                          const char *name);

static gboolean each_section(PsSassReading *reading, Visit visit)
{
    for (Elf_Scn *section = elf_nextscn(reading->elf, NULL); section;
         section = elf_nextscn(reading->elf, section)) {
        GElf_Shdr header;
        const char *name = ps_sass_section_name(reading, section, &header);
        if (name && !visit(reading, section, &header, name))
            return FALSE;
    }
    return TRUE;
}

static void jump_clear(gpointer data)
{
    g_array_unref(((PsSassJump *)data)->targets);
}

static void kernel_free(gpointer data)
{
    PsSassKernel *kernel = data;
    g_free(kernel->name);
    g_array_unref(kernel->params);
    g_array_unref(kernel->jumps);
    g_hash_table_unref(kernel->subroutines);
    g_hash_table_unref(kernel->halves);
    g_hash_table_unref(kernel->reached);
    g_hash_table_unref(kernel->apart);
    g_free(kernel);
}

static gboolean find_symbols(PsSassReading *reading, Elf_Scn *section, const GElf_Shdr *header,
                             const char *name)
{
    if (strcmp(name, ".symtab") == 0 && header->sh_type == SHT_SYMTAB)
        reading->symbols = section;
    return TRUE;
}

static gboolean find_text(PsSassReading *reading, Elf_Scn *section, const GElf_Shdr *header,
                          const char *name)
{
    const char *of = ps_sass_behind(name, ".text.");
    if (!of || header->sh_type != SHT_PROGBITS)
        return TRUE;
    const PsSassBytes text = ps_sass_section_bytes(section, header);
    if (text.size == 0 || text.size % PS_SASS_BYTES != 0) {
        g_autofree char *what =
            header->sh_size > 0 && !text.bytes
                ? g_strdup_printf("the section %s reaches out of the file", name)
                : g_strdup_printf(
                      "the section %s has %zu bytes, which are no instructions of %d bytes", name,
                      text.size, PS_SASS_BYTES);
        return ps_sass_damaged(reading, what);
    }
    if (!ps_sass_is_name(of))
        return ps_sass_damaged(reading, "a kernel's name is none");
    PsSassKernel *kernel = g_new0(PsSassKernel, 1);
    kernel->name = g_strdup(of);
    kernel->text = text;
    kernel->section = (guint)elf_ndxscn(section);
    kernel->params = g_array_new(FALSE, TRUE, sizeof(PsSassParam));
    kernel->jumps = g_array_new(FALSE, FALSE, sizeof(PsSassJump));
    g_array_set_clear_func(kernel->jumps, jump_clear);
    kernel->subroutines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    kernel->halves = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    kernel->reached = g_hash_table_new(NULL, NULL);
    kernel->apart = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_ptr_array_add(reading->image->kernels, kernel);
    if (!g_hash_table_contains(reading->kernels, kernel->name))
        g_hash_table_insert(reading->kernels, kernel->name, kernel);
    g_hash_table_insert(reading->sections, GUINT_TO_POINTER(kernel->section), kernel);
    return TRUE;
}

static gboolean find_memory(PsSassReading *reading, Elf_Scn *section, const GElf_Shdr *header,
                            const char *name)
{
    const char *of = ps_sass_behind(name, ".nv.shared.");
    PsSassKernel *kernel = of ? ps_sass_kernel_of(reading, header, of) : NULL;
    if (kernel)
        kernel->shared = header->sh_size;
    of = ps_sass_behind(name, ".nv.constant");
    if (!of || of[0] < '1' || of[0] >= '0' + PS_SASS_BANKS)
        return TRUE;
    const PsSassBytes bank = ps_sass_section_bytes(section, header);
    for (guint i = 0; i < reading->image->kernels->len; i++) {
        kernel = reading->image->kernels->pdata[i];
        const gboolean own = of[1] == '.' && strcmp(of + 2, kernel->name) == 0;
        if (of[1] == '\0' || own)
            kernel->banks[of[0] - '0'] = bank;
        kernel->own_banks = kernel->own_banks || own;
    }
    return TRUE;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static int capability_of(const GElf_Ehdr *header)
{
    enum { SECOND_VERSION = 8 };
    const gboolean second = header->e_ident[EI_ABIVERSION] >= SECOND_VERSION;
    return (int)(header->e_flags >> (second ? 8 : 0) & 255);
}

static gboolean check_header(PsSassReading *reading)
{
    GElf_Ehdr header;
    if (elf_kind(reading->elf) != ELF_K_ELF || !gelf_getehdr(reading->elf, &header) ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        elf_getshdrstrndx(reading->elf, &reading->names) != 0)
        return ps_sass_damaged(reading, "no ELF file of 64 bits, or a damaged one");
    if (header.e_machine != EM_CUDA) {
        g_set_error(reading->error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: machine code, but not for a GPU of NVIDIA", reading->name);
        return FALSE;
    }
    if (header.e_type != ET_EXEC) {
        g_set_error(reading->error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: machine code that is not linked; nvlink, or nvcc without -dc, links it",
                    reading->name);
        return FALSE;
    }
    reading->image->capability = capability_of(&header);
    if (reading->image->capability < PS_SASS_OLDEST ||
        reading->image->capability > PS_SASS_NEWEST) {
        g_set_error(reading->error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: machine code for sm_%d, and instructions of sm_%d to sm_%d are known; "
                    "compiled for one of these, or to PTX (nvcc -ptx), it can be read",
                    reading->name, reading->image->capability, PS_SASS_OLDEST, PS_SASS_NEWEST);
        return FALSE;
    }
    return TRUE;
}

/* A function that no host can launch is no kernel. */
static void put_functions_away(const PsSassImage *image)
{
    PsSassStorage *storage = image->storage;
    for (guint i = image->kernels->len; i-- > 0;)
        if (((const PsSassKernel *)image->kernels->pdata[i])->is_function)
            g_ptr_array_add(storage->functions, g_ptr_array_steal_index(image->kernels, i));
}

static gboolean read_all(PsSassReading *reading)
{
    if (!check_header(reading))
        return FALSE;
    if (!elf_nextscn(reading->elf, NULL))
        return ps_sass_damaged(reading,
                               "its sections are not in the file, which is damaged or cut off");
    if (!each_section(reading, find_symbols) || !each_section(reading, find_text))
        return FALSE;
    if (reading->image->kernels->len == 0)
        return ps_sass_damaged(reading, "no kernel is in it");
    if (!each_section(reading, find_memory) || !each_section(reading, ps_sass_read_info) ||
        !each_section(reading, ps_sass_find_tables) || !ps_sass_read_symbols(reading) ||
        !each_section(reading, ps_sass_read_addresses) ||
        !each_section(reading, ps_sass_read_calls))
        return FALSE;
    ps_sass_join(reading->image);
    put_functions_away(reading->image);
    return reading->image->kernels->len > 0
               ? each_section(reading, ps_sass_read_starts)
               : ps_sass_damaged(reading, "no kernel is in it, only functions");
}

PsSassImage *ps_sass_image_new(GBytes *bytes, const char *name, GError **error)
{
    gsize size = 0;
    const void *data = g_bytes_get_data(bytes, &size);
    PsSassImage *image = g_new0(PsSassImage, 1);
    PsSassStorage *storage = g_new0(PsSassStorage, 1);
    PsSassReading reading = {.image = image, .name = name, .error = error};
    image->storage = storage;
    image->name = g_strdup(name);
    storage->kept = g_ptr_array_new_with_free_func(g_free);
    storage->functions = g_ptr_array_new_with_free_func(kernel_free);
    image->kernels = g_ptr_array_new_with_free_func(kernel_free);
    image->variables = g_array_new(FALSE, FALSE, sizeof(PsSassVariable));
    image->constants = g_array_new(FALSE, FALSE, sizeof(PsSassConstant));
    image->addresses = g_array_new(FALSE, FALSE, sizeof(PsSassAddress));
    for (guint of = 0; of < PS_SASS_N_TABLES; of++)
        image->tables[of].starts = g_array_new(FALSE, FALSE, sizeof(PsSassStart));
    /* libelf needs writable memory at an even address */
    storage->bytes = g_memdup2(data, size);
    elf_version(EV_CURRENT);
    reading.elf = storage->elf = storage->bytes ? elf_memory(storage->bytes, size) : NULL;
    reading.kernels = g_hash_table_new(g_str_hash, g_str_equal);
    reading.sections = g_hash_table_new(NULL, NULL);
    reading.names_of_variables = g_hash_table_new(g_str_hash, g_str_equal);
    reading.variables = g_hash_table_new(NULL, NULL);
    const gboolean good = reading.elf ? read_all(&reading)
                                      : ps_sass_damaged(&reading, "no ELF file, or a damaged one");
    g_hash_table_unref(reading.kernels);
    g_hash_table_unref(reading.sections);
    g_hash_table_unref(reading.variables);
    g_hash_table_unref(reading.names_of_variables);
    if (!good)
        g_clear_pointer(&image, ps_sass_image_free);
    return image;
}

/* ---- variables ------------------------------------------------------------------------------ */

/* A copy of the memory with these bytes at that offset. */
static PsSassBytes with_bytes(PsSassImage *image, PsSassBytes memory, guint64 at,
                              const guint8 *bytes, gsize size)
{
    PsSassStorage *storage = image->storage;
    guint8 *copy = g_malloc0(memory.size);
    g_ptr_array_add(storage->kept, copy);
    if (memory.bytes)
        memcpy(copy, memory.bytes, memory.size);
    memcpy(copy + at, bytes, size);
    return (PsSassBytes){copy, memory.size};
}

static void set_constant(PsSassImage *image, const PsSassConstant *constant, const guint8 *bytes,
                         gsize size)
{
    PsSassKernel *const *kernels = (PsSassKernel *const *)image->kernels->pdata;
    const PsSassBytes before = kernels[0]->banks[constant->bank];
    const PsSassBytes after = with_bytes(image, before, constant->at, bytes, size);
    for (guint i = 0; i < image->kernels->len; i++)
        kernels[i]->banks[constant->bank] = after;
}

gboolean ps_sass_image_set(PsSassImage *image, const char *name, const guint8 *bytes, gsize size)
{
    for (guint i = 0; i < image->variables->len; i++) {
        PsSassVariable *variable = &g_array_index(image->variables, PsSassVariable, i);
        if (strcmp(variable->name, name) != 0)
            continue;
        const PsSassBytes memory = {variable->init.bytes, variable->size};
        variable->init = with_bytes(image, memory, 0, bytes, MIN(size, memory.size));
        return TRUE;
    }
    for (guint i = 0; i < image->constants->len; i++) {
        const PsSassConstant *constant = &g_array_index(image->constants, PsSassConstant, i);
        if (strcmp(constant->name, name) != 0)
            continue;
        set_constant(image, constant, bytes, MIN(size, constant->size));
        return TRUE;
    }
    return FALSE;
}

void ps_sass_image_free(PsSassImage *image)
{
    if (!image)
        return;
    PsSassStorage *storage = image->storage;
    g_ptr_array_unref(image->kernels);
    g_array_unref(image->variables);
    g_array_unref(image->constants);
    g_array_unref(image->addresses);
    for (guint of = 0; of < PS_SASS_N_TABLES; of++)
        g_array_unref(image->tables[of].starts);
    if (storage->elf)
        elf_end(storage->elf);
    g_free(storage->bytes);
    g_ptr_array_unref(storage->kept);
    g_ptr_array_unref(storage->functions);
    g_free(storage);
    g_free(image->name);
    g_free(image);
}
