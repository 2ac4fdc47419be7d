# SPDX-License-Identifier: BSD-3-Clause
# pylint: disable=missing-module-docstring
from spack.package import *

try:
    from spack_repo.builtin.build_systems.makefile import MakefilePackage
except ImportError:  # before Spack 1.0 it is one of spack.package
    pass


class Pipesim(MakefilePackage):
    """Predicts how long a GPU kernel takes, what limits it, and what a change would give, without a GPU."""

    # A release's archive lies beside this file, or in a mirror: nothing is downloaded.
    manual_download = True
    url = "file:///pipesim-0.1.0.tar.gz"

    license("BSD-3-Clause")

    version("0.1.0")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("flex", type="build")
    depends_on("bison", type="build")
    depends_on("glib")
    depends_on("libxml2")
    depends_on("elfutils")
    depends_on("sqlite")
    depends_on("zlib-api")

    def edit(self, spec, prefix):
        """There is nothing to configure."""

    def build(self, spec, prefix):
        make("PREFIX=" + prefix)

    def install(self, spec, prefix):
        make("PREFIX=" + prefix, "install")
