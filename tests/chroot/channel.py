# SPDX-License-Identifier: BSD-3-Clause
"""channel.py FOLDER NAME...: a channel for conda with empty packages of these names, for what this machine has."""

import hashlib
import io
import json
import pathlib
import sys
import tarfile
from typing import Any, Dict


def add(tar: tarfile.TarFile, name: str, text: str) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(text)
    tar.addfile(entry, io.BytesIO(text.encode()))


def empty(folder: pathlib.Path, name: str) -> Dict[str, Any]:
    about = {"name": name, "version": "0", "build": "0", "build_number": 0, "depends": [], "subdir": "linux-64"}
    path = folder / ("%s-0-0.tar.bz2" % name)
    with tarfile.open(path, "w:bz2") as tar:
        add(tar, "info/index.json", json.dumps(about))
        add(tar, "info/files", "")
        add(tar, "info/paths.json", json.dumps({"paths": [], "paths_version": 1}))
    packed = path.read_bytes()
    sums = {"md5": hashlib.md5(packed).hexdigest(), "sha256": hashlib.sha256(packed).hexdigest()}
    return {path.name: {**about, **sums, "size": len(packed)}}


def main() -> None:
    top = pathlib.Path(sys.argv[1])
    for platform, names in (("linux-64", sys.argv[2:]), ("noarch", [])):
        folder = top / platform
        folder.mkdir(parents=True)
        packages: Dict[str, Any] = {}
        for name in names:
            packages.update(empty(folder, name))
        told = {"info": {"subdir": platform}, "packages": packages, "packages.conda": {}, "repodata_version": 1}
        (folder / "repodata.json").write_text(json.dumps(told), encoding="utf-8")


main()
