"""docs/statistics.md and the docstrings: every example gives the output that is written there."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

from interstage import statistics

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
MODULES = [f"interstage.statistics.{module.name}" for module in pkgutil.iter_modules(statistics.__path__)]


def test_the_examples_of_the_page():
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted > 50


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_docstrings(name):
    assert doctest.testmod(import_module(name)).failed == 0


def test_all_names_of_the_package_can_be_imported():
    for name in dir(statistics):
        assert getattr(statistics, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'median'"):
        _ = statistics.median
