# SPDX-License-Identifier: BSD-3-Clause
"""Makes libraries and programs start with an older glibc than that of the machine they were made on.

Each symbol that a file takes from glibc has a version, which is that of the release in which it became what it is
there. Most that are newer than OLDEST are as old as glibc: they moved from libpthread and libdl into libc, or check
their arguments otherwise. A file asks for these without a version from here on, and so takes whichever there is. What
an older glibc lacks altogether is in glibc.c.
"""

import re
import struct

OLDEST = (2, 28)
FIRST = "GLIBC_2.2.5"  # which each library of glibc has
GLOBAL = 1  # the version of a symbol that has none
DT_STRTAB, DT_SYMTAB, DT_VERSYM, DT_VERNEED, DT_VERNEEDNUM = 5, 6, 0x6FFFFFF0, 0x6FFFFFFE, 0x6FFFFFFF
DYNAMIC, LOAD = 2, 1


def version_of(name):
    """(2, 34) of "GLIBC_2.34"; (0,) of what is no release of glibc."""
    found = re.fullmatch(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?", name)
    return (int(found[1]), int(found[2])) if found else (0,)


# What other libraries of glibc 2.28 have, or libm under an older version. (__libc_start_main differs in who calls
# constructors, and the program has none.)
OLD = re.compile(r"dl(addr|close|error|open|sym)|exp2?|hypot|log2?|pow|pthread_\w+|__libc_start_main")


class Elf:
    """A file's bytes, with what the dynamic linker reads. Of 64 bits, little-endian."""

    def __init__(self, data):
        self.data = bytearray(data)
        at, size, count = struct.unpack_from("<Q14xHH", self.data, 32)
        heads = [struct.unpack_from("<IIQQQQ", self.data, at + number * size) for number in range(count)]
        self._loads = [head for head in heads if head[0] == LOAD]
        self._tags = {}
        for _, _, offset, _, _, length in [head for head in heads if head[0] == DYNAMIC]:
            for tag, value in struct.iter_unpack("<qQ", self.data[offset:offset + length]):
                self._tags.setdefault(tag, value)

    def _at(self, tag):
        """The offset in the file of what stands at that tag's address."""
        for _, _, offset, address, _, length in self._loads:
            if address <= self._tags[tag] < address + length:
                return self._tags[tag] - address + offset
        raise ValueError("an address that is in no segment")

    def _text(self, at):
        at += self._at(DT_STRTAB)
        return self.data[at:self.data.index(0, at)].decode()

    def _needs(self):
        """Of each version that is needed: its place in the file, its number, and its name."""
        if DT_VERNEED not in self._tags:
            return
        at = self._at(DT_VERNEED)
        for _ in range(self._tags[DT_VERNEEDNUM]):
            count, first, following = struct.unpack_from("<2xH4xII", self.data, at)
            one = at + first
            for _ in range(count):
                number, name, step = struct.unpack_from("<6xHII", self.data, one)
                yield one, number, self._text(name)
                one += step
            at += following

    def newest(self):
        """The newest release of glibc that the file asks for."""
        return max([version_of(name) for _, _, name in self._needs()] + [(0,)])

    def age(self):
        """Takes the versions off that OLDEST lacks. Returns the names of the symbols that had them."""
        needs = list(self._needs())
        newer = {number: at for at, number, name in needs if version_of(name) > OLDEST}
        old = next((at for at, _, name in needs if name == FIRST), None)
        if newer and old is None:
            raise ValueError("a file that needs nothing of the first glibc")
        for at in newer.values():  # the entry stays, and asks for what another one asks for
            self.data[at:at + 4] = self.data[old:old + 4]
            self.data[at + 8:at + 12] = self.data[old + 8:old + 12]
        return [self._unversion(symbol) for symbol in range(self._symbols() if newer else 0)
                if self._version(symbol) in newer]

    def defines(self):
        """The names of the symbols that the file has for others."""
        at = self._at(DT_SYMTAB)
        symbols = struct.iter_unpack("<IBBHQQ", self.data[at:at + 24 * self._symbols()])
        return {self._text(name) for name, _, _, section, _, _ in symbols if section}

    def _symbols(self):
        """Their number: the string table follows the symbols in what linkers write."""
        return (self._at(DT_STRTAB) - self._at(DT_SYMTAB)) // 24

    def _version(self, symbol):
        return struct.unpack_from("<H", self.data, self._at(DT_VERSYM) + 2 * symbol)[0] & 0x7FFF

    def _unversion(self, symbol):
        struct.pack_into("<H", self.data, self._at(DT_VERSYM) + 2 * symbol, GLOBAL)
        return self._text(struct.unpack_from("<I", self.data, self._at(DT_SYMTAB) + 24 * symbol)[0])


def make_older(paths, glibc):
    """Ages the files; glibc is the library with what the oldest lacks. Ends where nobody says what an old glibc has
    of a symbol's name. Returns the newest release that they ask for from then on."""
    known = Elf(glibc.read_bytes()).defines()
    newest = OLDEST
    for path in paths:
        elf = Elf(path.read_bytes())
        unknown = [name for name in elf.age() if name not in known and not OLD.fullmatch(name)]
        if unknown:
            raise SystemExit("old_glibc: %s: python/glibc.c and OLD know nothing of %s" % (path, ", ".join(unknown)))
        path.write_bytes(elf.data)
        newest = max(newest, elf.newest())
    return newest
