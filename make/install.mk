# SPDX-License-Identifier: BSD-3-Clause
# make install and make uninstall, with PREFIX (/usr/local), LIBDIR (PREFIX/lib) and DESTDIR. The
# program finds its library and its data relative to itself, so that the whole may be moved; for the
# library's sake it is linked anew, because only now it is known where LIBDIR is from there.
LIBDIR  ?= $(PREFIX)/lib
BINDIR  := $(DESTDIR)$(PREFIX)/bin
LIB     := $(DESTDIR)$(LIBDIR)
INCLUDE := $(DESTDIR)$(PREFIX)/include/pipesim
SHARE   := $(DESTDIR)$(PREFIX)/share
COMPLETIONS := $(SHARE)/bash-completion/completions

DATA_FILES := $(wildcard graphs/*.idg graphs/*.cl gpus/*.xml gpus/families/*.xml)

# $(call each,FOLDER,FILES): installs files, not executable, under FOLDER in their own subfolders.
each = set -e; for f in $2; do install -D -m 644 $$f $1/$$f; done

# $(call from_bindir,FOLDER): the way there from the program's folder; neither need exist yet.
from_bindir = $(shell realpath --canonicalize-missing --relative-to=$(BINDIR) $1)

.PHONY: install uninstall
install: all $(STATIC) ## with PREFIX, LIBDIR and DESTDIR
	install -d $(BINDIR)
	$(call link_program,$(BINDIR)/pipesim,$(call from_bindir,$(LIB)))
	chmod 755 $(BINDIR)/pipesim
	install -D -m 644 $(SHARED) $(LIB)/libpipesim.so.$(VERSION)
	ln -sf libpipesim.so.$(VERSION) $(LIB)/$(SONAME)
	ln -sf $(SONAME) $(LIB)/libpipesim.so
	install -m 644 $(STATIC) $(LIB)/libpipesim.a
	install -D -m 644 $(INJECTION) $(LIB)/pipesim/$(notdir $(INJECTION))
	$(call copy_drivers,$(LIB)/pipesim/$(notdir $(DRIVER)))
	install -d $(LIB)/pkgconfig
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))|' \
	    -e 's|@VERSION@|$(VERSION)|' pipesim.pc.in > $(LIB)/pkgconfig/pipesim.pc
	$(call each,$(INCLUDE),$(PUBLIC_H))
	$(call each,$(SHARE)/pipesim,$(DATA_FILES))
	install -m 644 $(JSON_SCHEMA) $(SHARE)/pipesim
	install -D -m 644 -t $(SHARE)/man/man1 $(MANPAGE)
	install -D -m 644 $(COMPLETION) $(COMPLETIONS)/pipesim

uninstall: ## the same files, with the same PREFIX, LIBDIR and DESTDIR
	rm -f $(BINDIR)/pipesim $(LIB)/libpipesim.so $(LIB)/libpipesim.so.* $(LIB)/libpipesim.a
	rm -f $(LIB)/pkgconfig/pipesim.pc $(COMPLETIONS)/pipesim
	rm -f $(SHARE)/man/man1/$(notdir $(MANPAGE))
	rm -rf $(INCLUDE) $(SHARE)/pipesim $(LIB)/pipesim
