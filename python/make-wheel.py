# SPDX-License-Identifier: BSD-3-Clause
"""make-wheel.py VERSION FOLDER OUT: a wheel of the package in FOLDER, for `make wheel`.

FOLDER has pipesim/ with bin/pipesim, lib/libpipesim.so.0, share/pipesim, what stands in for CUDA's libraries, and in
lib/ the stand-ins for ICU and glibc. It brings the other libraries that those load, but for libc's, and makes all of
them start with an older glibc (old_glibc.py). Prints the wheel's path.
"""

import base64
import csv
import hashlib
import io
import pathlib
import re
import subprocess
import sys
import tomllib
import zipfile

from old_glibc import make_older

HERE = pathlib.Path(__file__).resolve().parent
OF_LIBC = ("libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "ld-linux")
# libxml2 asks for ICU, in whose place the stand-in comes (icu.c), so ICU's own needs do not matter.
OF_ICU = ("libicuuc.so", "libicudata.so", "libstdc++.so", "libgcc_s.so")

OURS = ("ps_glibc.so",)


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def renamed(name):
    """As long as before, so that it fits where it stands in the files: no other package's libglib is then ours."""
    return "ps_" + name[3:]


def needed(library):
    """name -> file of all that the library loads, but for libc's and ICU's."""
    found = {}
    for line in lines_of("ldd", str(library)):
        match = re.match(r"\s*(\S+) => (/\S+)", line)
        if match and not match[1].startswith(OF_LIBC + OF_ICU + OURS):
            found[match[1]] = pathlib.Path(match[2])
    return found


def copy_licence(library, folder):
    """Debian keeps it for each package, and has the source under the version that stands above it."""
    path = library.resolve()
    for name in (str(path), str(path).removeprefix("/usr")):
        asked = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
        if asked.returncode == 0:
            package = asked.stdout.split(":")[0]
            source = lines_of("dpkg-query", "-W", "-f=Source: ${source:Package} ${source:Version}\n", package)[0]
            text = pathlib.Path("/usr/share/doc", package, "copyright").read_text(encoding="utf-8")
            (folder / package).write_text(source + "\n\n" + text, encoding="utf-8")
            return
    sys.exit("make-wheel: nobody knows the licence of %s" % library)


def bring_libraries(package):
    libraries = needed(package / "lib" / "libpipesim.so.0")
    licences = package / "licenses"
    licences.mkdir(exist_ok=True)
    for name, path in libraries.items():
        (package / "lib" / renamed(name)).write_bytes(path.read_bytes())
        copy_licence(path, licences)
    for text in ("GPL-2", "LGPL-2.1", "GPL-3", "LGPL-3"):
        path = pathlib.Path("/usr/share/common-licenses", text)
        if path.exists():
            (licences / text).write_bytes(path.read_bytes())
    names = [name.encode() for name in libraries] + [b"libicuuc.so.72"]
    for path in [*(package / "lib").glob("**/*.so.*"), package / "bin" / "pipesim"]:
        if path.is_symlink():
            continue
        data = path.read_bytes()
        for name in names:
            data = data.replace(b"\0" + name + b"\0", b"\0" + renamed(name.decode()).encode() + b"\0")
        path.write_bytes(data)


def old_glibc(package):
    """What all of it starts with, as a version such as (2, 28)."""
    lib = package / "lib"
    libraries = [path for path in lib.glob("**/*.so*") if not path.is_symlink()]
    return make_older([*libraries, package / "bin" / "pipesim"], lib / "ps_glibc.so")


def metadata(version):
    with open(HERE / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    lines = [
        "Metadata-Version: 2.1",
        "Name: " + project["name"],
        "Version: " + version,
        "Summary: " + project["description"],
        "License: " + project["license"],
        "Keywords: " + ",".join(project["keywords"]),
        *("Classifier: " + each for each in project["classifiers"]),
        "Requires-Python: " + project["requires-python"],
        *("License-File: " + each for each in project["license-files"]),
        "Description-Content-Type: text/markdown",
        "",
        (HERE / "README.md").read_text(encoding="utf-8"),
    ]
    scripts = "[console_scripts]\n" + "".join("%s = %s\n" % each for each in project["scripts"].items())
    return "\n".join(lines), scripts


def write(wheel, files):
    """In order, with one time for all, so that the same files make the same wheel."""
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:

        def add(name, data, mode):
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)

        for name, (data, mode) in sorted(files.items()):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.writerow([name, "sha256=" + digest, len(data)])
            add(name, data, mode)
        last = next(name for name in files if name.endswith("/WHEEL")).replace("WHEEL", "RECORD")
        rows.writerow([last, "", ""])
        add(last, record.getvalue(), 0o100644)


def main(version, folder, out):
    package = pathlib.Path(folder) / "pipesim"
    bring_libraries(package)
    tag = "py3-none-manylinux_%d_%d_x86_64" % old_glibc(package)
    files = {}
    for path in package.rglob("*"):
        if path.is_file():
            mode = 0o100755 if path.stat().st_mode & 0o100 else 0o100644
            files[str(path.relative_to(folder))] = (path.read_bytes(), mode)
    about, scripts = metadata(version)
    info = "pipesim-%s.dist-info/" % version
    texts = {
        "METADATA": about,
        "entry_points.txt": scripts,
        "WHEEL": "Wheel-Version: 1.0\nGenerator: pipesim\nRoot-Is-Purelib: false\nTag: %s\n" % tag,
        "licenses/LICENSE": (HERE.parent / "LICENSE").read_text(encoding="utf-8"),
    }
    files.update({info + name: (text.encode(), 0o100644) for name, text in texts.items()})
    wheel = pathlib.Path(out) / ("pipesim-%s-%s.whl" % (version, tag))
    write(wheel, files)
    print(wheel)


main(*sys.argv[1:])
