"""Writes rls2-VERSION.dist-info into FOLDER: pip and importlib.metadata then know the package."""

import pathlib
import re
import sys
import tomllib

project = tomllib.loads(pathlib.Path("pyproject.toml").read_text("utf-8"))["project"]
header = pathlib.Path("include/rls2/version.h").read_text("ascii")
version = ".".join(re.findall(r"#define RLS2_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))
folder = pathlib.Path(sys.argv[1], f"rls2-{version}.dist-info")
folder.mkdir()
lines = ["Metadata-Version: 2.1", "Name: rls2", f"Version: {version}",
         f"Summary: {project['description']}", f"Requires-Python: {project['requires-python']}"]
lines += [f"Requires-Dist: {name}" for name in project["dependencies"]]
(folder / "METADATA").write_text("\n".join(lines) + "\n", "utf-8")
(folder / "INSTALLER").write_text("debian\n", "utf-8")
