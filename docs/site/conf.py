"""The site of the documentation: Sphinx with MyST, since the pages are Markdown, the reference of
the C library wants Sphinx's C domain, and the search needs no server."""

import pathlib
import re

here = pathlib.Path(__file__).resolve().parent
header = (here / "version.h").read_text(encoding="utf-8")

project = "rls2"
copyright = "2026, the rls2 authors"
release = ".".join(re.findall(r"^#define RLS2_VERSION_\w+ (\d+)$", header, re.MULTILINE))
version = release

extensions = ["myst_parser", "sphinx_design"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
exclude_patterns = ["**/_*"]
# api.md and the like are made of parts: a heading may follow one two levels above it; and output of
# programs and pseudo-code of other languages need not be lexed
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

html_theme = "furo"
html_title = f"rls2 {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f6f78", "color-brand-content": "#1f6f78"},
    "dark_css_variables": {"color-brand-primary": "#6cc4cd", "color-brand-content": "#6cc4cd"},
}
