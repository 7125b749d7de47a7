"""Settings of Sphinx for the documentation: `make docs`.

The source folder of the build is the repository, so that all relative links of pages work in the repository
and in the documentation. The pages need no network: mathematics is MathML, and the index of the search is a
script."""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs" / "site"))

project = "Interstage"
author = "The Interstage developers"
copyright = author
version = release = version_of("interstage")

extensions = [
    "myst_nb",  # myst_parser, and notebooks, which the build executes
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx.ext.autodoc",
    "mathml",
    "outside_links",
    "flights",
]
root_doc = "docs/index"
include_patterns = [
    "docs/**",
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "benchmarks/README.md",
    "changes/README.md",
    "examples/own_part/README.md",
    "validation/*/SOURCE.md",
]
exclude_patterns = [".*", "build", "src", "tests", "web", "flights", "dist", "**/__pycache__"]

nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 120  # seconds for each cell; all cells together need about 10
nb_render_image_options = {"alt": "Output of the cell"}
nb_ipywidgets_js = {}
"""Scripts for widgets come from the network, and no notebook has widgets."""

myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 6
myst_dmath_double_inline = True
myst_dmath_allow_labels = False
myst_dmath_allow_space = False

highlight_language = "text"
pygments_style = "tango"
pygments_dark_style = "github-dark"

html_theme = "furo"
html_title = f"Interstage {version}"
html_static_path = ["site/static"]
html_css_files = ["interstage.css"]
html_extra_path = ["site/root"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False
"""The summary of a search result is read from the page, which browsers do not allow for pages of a disk."""
html_last_updated_fmt = None

copybutton_exclude = ".linenos, .gp"
default_role = "literal"  # names in docstrings
autodoc_typehints = "none"
autodoc_member_order = "bysource"
smartquotes = False
