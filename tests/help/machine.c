/* SPDX-License-Identifier: BSD-3-Clause */
/* See machine.h. */
#include "tests/help/machine.h"

#include <gelf.h>
#include <glib/gstdio.h>
#include <string.h>

#define BYTES 16

Machine machine_new(int capability)
{
    return (Machine){capability, g_array_new(FALSE, FALSE, sizeof(guint64))};
}

void machine_clear(Machine *machine)
{
    g_array_unref(machine->words);
}

static void add_words(Machine *machine, guint64 low, guint64 high)
{
    g_array_append_val(machine->words, low);
    g_array_append_val(machine->words, high);
}

static guint64 low_word(guint opcode, guint writes, guint a, guint b)
{
    enum { ALWAYS = 7 };
    return opcode | ALWAYS << 12 | writes << 16 | (guint64)a << 24 | (guint64)b << 32;
}

void machine_add(Machine *machine, guint opcode, guint writes, guint a, guint b, guint c)
{
    add_words(machine, low_word(opcode, writes, a, b), c);
}

void machine_access(Machine *machine, guint opcode, guint writes, guint address, guint width)
{
    add_words(machine, low_word(opcode, writes, address, 0), (guint64)width << 9);
}

void machine_reciprocal(Machine *machine, guint writes, guint of)
{
    enum { RECIPROCAL = 4 };
    add_words(machine, low_word(NV_MUFU, writes, 0, of), (guint64)RECIPROCAL << 10);
}

void machine_vote(Machine *machine, guint writes, guint of)
{
    enum { VOTE = 0x806 };
    add_words(machine, low_word(VOTE, NV_NONE, 0, 0), (guint64)writes << 17 | (guint64)of << 23);
}

void machine_double(Machine *machine, guint writes, guint of, gboolean to_double)
{
    enum { F2F = 0x310, SINGLE = 2, DOUBLE };
    add_words(machine, low_word(F2F, writes, 0, of),
              to_double ? (guint64)DOUBLE << 11 | (guint64)SINGLE << 20
                        : (guint64)SINGLE << 11 | (guint64)DOUBLE << 20);
}

void machine_reduce(Machine *machine, guint writes, guint of)
{
    enum { REDUX = 0x3c4 };
    add_words(machine, low_word(REDUX, writes, of, 0), 0);
}

void machine_from_all(Machine *machine, guint writes, guint of)
{
    enum { MOV = 0xc02 };
    add_words(machine, low_word(MOV, writes, 0, of), 0);
}

gint64 machine_here(const Machine *machine)
{
    return machine->words->len / 2 * BYTES;
}

void machine_branch(Machine *machine, gint64 to)
{
    const gint64 words = (to - machine_here(machine) - BYTES) / 4;
    const gboolean newer = machine->capability >= 90;
    const guint64 field = (guint64)(newer ? words >> 8 : words);
    const guint low = newer ? (guint)(words & 255) : 0;
    add_words(machine, low_word(NV_BRA, low, 0, 0) | field << 34, field >> 30 & 0x3ffff);
}

/* ---- files --------------------------------------------------------------------------------- */

static void add_section(Elf *elf, const char *names, const char *name, GElf_Word type, void *bytes,
                        gsize size)
{
    Elf_Scn *section = elf_newscn(elf);
    Elf_Data *data = elf_newdata(section);
    GElf_Shdr header;
    data->d_buf = bytes;
    data->d_size = size;
    data->d_align = 1;
    data->d_type = ELF_T_BYTE;
    gelf_getshdr(section, &header);
    header.sh_type = type;
    header.sh_name = (GElf_Word)(strstr(names + 1, name) - names);
    gelf_update_shdr(section, &header);
}

static void add_header(Elf *elf, const Machine *machine, const MachineFile *file)
{
    enum { SECOND_VERSION = 8 };
    GElf_Ehdr header;
    gelf_newehdr(elf, file->narrow ? ELFCLASS32 : ELFCLASS64);
    gelf_getehdr(elf, &header);
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_ABIVERSION] = file->first_version ? 7 : SECOND_VERSION;
    header.e_machine = (GElf_Half)(file->machine ? file->machine : EM_CUDA);
    header.e_type = ET_EXEC;
    header.e_version = EV_CURRENT;
    header.e_flags = (GElf_Word)machine->capability << (file->first_version ? 0 : 8);
    header.e_shstrndx = 2;
    gelf_update_ehdr(elf, &header);
}

GBytes *machine_file(const Machine *machine, const MachineFile *file)
{
    g_autofree char *path = NULL, *bytes = NULL, *names = NULL;
    const char *section = file->section ? file->section : ".text.kernel";
    const gsize length = machine->words->len * sizeof(guint64), name = strlen(section);
    g_autofree char *text = g_malloc0(length + file->more + 1);
    gsize size = 0;
    const int to = g_file_open_tmp(NULL, &path, NULL);
    g_assert_cmpint(to, >=, 0);
    memcpy(text, machine->words->data, length);
    names = g_malloc0(name + 13);
    memcpy(names + 1, section, name);
    memcpy(names + name + 2, ".shstrtab", 10);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(to, ELF_C_WRITE, NULL);
    add_header(elf, machine, file);
    add_section(elf, names, section, SHT_PROGBITS, text, length + file->more);
    add_section(elf, names, ".shstrtab", SHT_STRTAB, names, name + 13);
    g_assert_cmpint(elf_update(elf, ELF_C_WRITE), >, 0);
    elf_end(elf);
    g_close(to, NULL);
    g_assert_true(g_file_get_contents(path, &bytes, &size, NULL));
    g_unlink(path);
    return g_bytes_new_take(g_steal_pointer(&bytes), size);
}

/* ---- kernels ------------------------------------------------------------------------------- */

PsBenchKernel *machine_kernel(const char *class_name, int chains, int steps, gboolean chained)
{
    g_autoptr(GString) text =
        g_string_new("<idg xmlns='urn:pipesim:idg:1' version='1' name='kernel'>"
                     "<param name='length' value='4'/><launch groups='1' group-size='32'/>"
                     "<code><loop times='length'>");
    g_string_append_printf(text, "<loop times='%d'>", steps);
    for (int i = 0; i < chains; i++) {
        g_string_append_printf(text, "<node name='x%d' class='%s'", i, class_name);
        if (chained)
            g_string_append_printf(text, " after='x%d'", i);
        g_string_append(text, "/>");
    }
    g_string_append(text, "</loop></loop></code></idg>");
    PsBenchKernel *kernel = g_new0(PsBenchKernel, 1);
    g_autoptr(GError) error = NULL;
    kernel->name = g_strdup("kernel");
    kernel->class_name = g_strdup(class_name);
    kernel->graph = ps_idg_parse(text->str, text->len, "kernel.idg", &error);
    g_assert_no_error(error);
    return kernel;
}
