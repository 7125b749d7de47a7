"""Coefficient tables: what is declared, in which units, and read from which files."""

from __future__ import annotations

import tomllib
from typing import Any

import numpy as np
import pytest

from interstage.exchange import coefficient_csv
from interstage.parts.air import coefficient_table
from interstage.parts.air.coefficient_table import variables
from interstage.tree import addresses as tree
from interstage.tree import declaration, toml_file
from interstage.tree.errors import BadInput, Refused
from mechanics import EPS

# Any: they are called as files call them, with texts and tables that the validation turns into fields.
Table: Any = coefficient_table.CoefficientTable
Axis: Any = coefficient_table.Axis


# --- declarations -------------------------------------------------------------------------------------------


class Holder(declaration.Declaration):
    """A declaration with a coefficient."""

    c: coefficient_table.Coefficient = 0.0


def test_coefficient_is_a_number_or_a_table():
    assert Holder(c=0.4).c == 0.4
    held: Any = Holder(c={"axes": [{"variable": "mach", "points": [0, 1]}], "values": [1, 2]})
    assert variables(held.c) == ("mach",)
    assert tree.set(held, "c.factor", 1.1).c.factor == 1.1
    assert "c.values" in tree.paths(held)
    with pytest.raises(BadInput, match="c: 'x' does not begin with a number"):
        Holder(c="x")


@pytest.mark.parametrize(
    "given",
    [
        {"points": "[-10, 0, 7.3] deg"},
        {"points": [-10, 0, 7.3], "unit": "deg"},
        {"points": ["-10 deg", "0 deg", "7.3 deg"]},
        {"points": ["-10 deg", 0, 7.3], "unit": "deg"},
        {"points": np.array([-10, 0, 7.3]), "unit": "deg"},
    ],
)
def test_points_in_units(given):
    axis = Axis(variable="alpha", **given)
    np.testing.assert_array_equal(axis.points, [v * (np.pi / 180) for v in (-10, 0, 7.3)])
    assert axis.unit == "rad"


def test_points_without_unit_are_si():
    axis = Axis(variable="alpha", points=[-0.1, 0, 0.2])
    assert axis.points.tolist() == [-0.1, 0, 0.2]
    assert axis.unit is None
    assert Axis(variable="altitude", points="[0, 1, 2] km").points.tolist() == [0, 1000, 2000]


def test_round_trip():
    """Through TOML: to the last bit, units settled, once and again."""
    axes = [
        {"variable": "mach", "points": [0.1, 0.7, 1.1], "outside": "hold"},
        {"variable": "alpha", "points": [-7.3, 0, 11.1], "unit": "deg"},
    ]
    table = Table(axes=axes, values=np.random.default_rng(414).standard_normal((3, 3)), factor=1 / 3)
    again = Table(**tomllib.loads(toml_file.dumps(table)))
    assert again == table
    assert again.axes[1].unit == "rad"
    assert toml_file.dumps(again) == toml_file.dumps(table)


def test_values_in_one_list():
    axes = [{"variable": "mach", "points": [0, 1]}, {"variable": "alpha", "points": [0, 1, 2]}]
    flat, nested = (Table(axes=axes, values=v) for v in ([1, 2, 3, 4, 5, 6], [[1, 2, 3], [4, 5, 6]]))
    assert flat == nested


MACH = {"variable": "mach", "points": [0, 1]}
ALPHA = {"variable": "alpha", "points": [0, 1, 2]}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"axes": [], "values": [1]}, "axes: the table has 0 axes. Give 1 to 6"),
        (
            {"axes": [MACH | {"variable": f"x{k}"} for k in range(7)], "values": [0] * 128},
            "axes: the table has 7 axes. Give 1 to 6",
        ),
        (
            {"axes": [MACH, MACH], "values": [1, 2, 3, 4]},
            "axes.1.variable: 'mach' is already the variable of another axis. Merge the two",
        ),
        (
            {"axes": [MACH, ALPHA], "values": [[1, 2], [3, 4]]},
            "values: the table has 2 by 2 numbers, but the axes (mach, alpha) have 2 by 3 points",
        ),
        (
            {"axes": [MACH], "values": [[1, 2], [3, 4]]},
            "values: the table has 2 by 2 numbers, but the axes (mach) have 2",
        ),
        (
            {"axes": [MACH], "values": 3},
            "values: the table has one number, but the axes (mach) have 2 points. Give",
        ),
        ({"axes": [MACH], "values": [[1, 2], 3]}, "values: "),
        ({"axes": [MACH], "values": [1, float("nan")]}, "values: nan is not a finite number"),
        ({"axes": [MACH]}, "values: this key is required"),
        ({"values": [1, 2]}, "axes: this key is required"),
        (
            {"axes": [MACH | {"points": [0]}], "values": [1]},
            "axes.0.points: 'points' has 1 point",
        ),
        (
            {"axes": [ALPHA | {"points": [0, 2, 2], "unit": "rad"}], "values": [1, 2, 3]},
            "axes.0.points: the points do not increase: 2 rad follows 2 rad. Sort",
        ),
        ({"axes": [MACH | {"variable": " "}], "values": [1, 2]}, "axes.0.variable: 'variable' is empty"),
        (
            {"axes": [ALPHA | {"points": "[0, 1, 2] m", "unit": "deg"}], "values": [1, 2, 3]},
            "axes.0.points: the list mixes the units rad and m",
        ),
        (
            {"axes": [ALPHA | {"points": {}, "unit": "deg"}], "values": [1]},
            "axes.0.points: {} is not a number",
        ),
        (
            {"axes": [ALPHA | {"points": 3, "unit": "deg"}], "values": [1]},
            "axes.0.points: expected n numbers",
        ),
        (
            {"axes": [ALPHA | {"points": np.array(["a"]), "unit": "deg"}], "values": [1]},
            "axes.0.points: ['a'] is not a number",
        ),
        (
            {"axes": [ALPHA | {"points": [0, "x"], "unit": "deg"}], "values": [1, 2]},
            "axes.0.points: 'x' does",
        ),
        ({"axes": [ALPHA | {"points": [0, [1]], "unit": "deg"}], "values": [1, 2]}, "axes.0.points: [0"),
        (
            {"axes": [ALPHA | {"unit": 3}], "values": [1, 2, 3]},
            "axes.0.unit: the value must be a text in quotes",
        ),
        ({"axes": [ALPHA | {"unit": "degg"}], "values": [1, 2, 3]}, "axes.0.points: unknown unit 'degg'"),
        ({"axes": [MACH | {"outside": "zero"}], "values": [1, 2]}, "axes.0.outside: 'zero' is not allowed"),
        ({"axes": [MACH], "values": [1, 2], "column": "CD"}, "column: 'column' is set without 'file'"),
        ({"axes": [MACH], "values": [1, 2], "file": "x.csv"}, "values: 'values' and 'file' are both set"),
    ],
)
def test_refusals(given, said):
    with pytest.raises(BadInput) as caught:
        Table(**given)
    assert said in str(caught.value)


def test_schema():
    schema = Table.model_json_schema()
    assert schema["properties"]["values"]["type"] == "array"
    assert {"type": "string", "examples": ["[-10, 0, 10] deg"]} in schema["$defs"]["Axis"]["properties"][
        "points"
    ]["anyOf"]


# --- files --------------------------------------------------------------------------------------------------


def written(folder, text):
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


LONG = """
# wind tunnel, run 12
mach, alpha [deg], CL, CD
0.8, 4, 0.44, 0.09   # out of order
0.6, 0, 0.00, 0.01
0.6, 4, 0.40, 0.05

0.8, 0, 0.02, 0.03
0.9, 4, 0.50, 0.10
0.9, 0, 0.03, 0.04
"""


def test_long_file(tmp_path):
    path = written(tmp_path, LONG)
    table = Table(file=path, column="CD", axes=[{"variable": "mach", "outside": "hold"}])
    assert variables(table) == ("mach", "alpha")
    assert table.axes[0].points.tolist() == [0.6, 0.8, 0.9]
    assert table.axes[1].points.tolist() == [0, 4 * np.pi / 180]
    assert [a.outside for a in table.axes] == ["hold", "refuse"]
    assert table.values.tolist() == [[0.01, 0.05], [0.03, 0.09], [0.04, 0.1]]
    assert table.file is table.column is None
    lift = Table(file=path, column="CL")
    assert lift.values.tolist() == [[0, 0.4], [0.02, 0.44], [0.03, 0.5]]
    assert Table(**tomllib.loads(toml_file.dumps(table))) == table


def test_last_column_of_a_long_file(tmp_path):
    path = written(tmp_path, "altitude [km], CN [1/deg]\n0, 1\n2, 2\n1, 3\n")
    table = Table(file=path, interpolation="linear")
    assert table.axes[0].points.tolist() == [0, 1000, 2000]
    np.testing.assert_allclose(table.values, np.degrees([1, 3, 2]), rtol=2 * EPS)


def test_values_before_the_variables(tmp_path):
    path = written(tmp_path, "CD, mach\n1, 0\n2, 3\n")
    table = Table(file=path, column="CD", axes=[{"variable": "mach"}])
    assert table.values.tolist() == [1, 2]
    assert table.axes[0].points.tolist() == [0, 3]


def test_matrix_file(tmp_path):
    path = written(tmp_path, "mach \\ alpha [deg], -5, 0, 5 # degrees\n0.6, 1, 2, 3\n0.8, 4, 5, 6\n")
    table = Table(file=path)
    assert variables(table) == ("mach", "alpha")
    assert table.axes[0].points.tolist() == [0.6, 0.8]
    np.testing.assert_array_equal(table.axes[1].points, np.array([-5, 0, 5]) * (np.pi / 180))
    assert table.values.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_unit_from_beside_the_file(tmp_path):
    path = written(tmp_path, "alpha, CD\n0, 1\n90, 2\n")
    table = Table(file=path, axes=[{"variable": "alpha", "unit": "deg"}])
    assert table.axes[0].points.tolist() == [0, np.pi / 2]


HEAD = "mach, alpha [deg], CD\n"
GAP = "mach, alpha, CL, CD\n1, 1, 1, 1\n1, 2, 1, 1\n2, 1, 1, 1\n"


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (
            HEAD + "1, 1, 1\n1, 2, 1\n2, 1, 1\n",
            {},
            ": there is no row for mach = 2, alpha = 2 deg.",
        ),
        (
            HEAD + "1, 1, 1\n2, 2, 1\n1, 2, 1\n2, 1, 1\n# again\n1, 1, 3\n",
            {},
            ", line 7: the row of mach = 1, alpha = 1 deg repeats line 2",
        ),
        (HEAD + "1, 1\n", {}, ", line 2: the line has 2 cells, but the header has 3"),
        (HEAD + "1, x, 1\n", {}, ", line 2: column alpha: 'x' is not a finite number"),
        (HEAD + "1, , 1\n", {}, ", line 2: column alpha: the cell is empty"),
        (HEAD + "1, 1, inf\n", {}, ", line 2: column CD: 'inf' is not a finite number"),
        (HEAD, {}, ": the file has no table"),
        ("mach; CD\n1; 2\n", {}, ", line 1: the header has only one column. Separate the columns by commas"),
        ("mach [, CD\n1, 2\n", {}, ", line 1: 'mach [' is not a valid column name"),
        ("mach [foo], CD\n1, 2\n", {}, ", line 1: column mach: unknown unit 'foo'"),
        ("mach, mach, CD\n1, 2, 3\n", {}, ", line 1: column mach is repeated"),
        ("mach, D [N]\n1, 2\n2, 3\n", {}, ", line 1: column D is in N. Give the column without a unit"),
        (HEAD + "1, 1, 1\n", {"column": "CL"}, "column: 'CL' is not a column of"),
        (GAP, {"column": "CD"}, ": the first columns (mach, alpha, CL) do not form a grid"),
        (
            GAP,
            {"column": "CD", "axes": [{"variable": "mach"}, {"variable": "alpha"}]},
            ": there is no row for mach = 2, alpha = 2.",
        ),
        (
            "mach, alpha, CD\n1, 1, 1\n2, 2, 1\n",
            {"column": "CD", "axes": [{"variable": "mach"}, {"variable": "alpha"}]},
            ": there is no row for mach = 1, alpha = 2.",
        ),
        ("a \\ b, 1, 2\n1, 2, 3\n1, 4, 5\n", {}, ", line 3: the values of a must increase, but 1 follows 1"),
        ("a \\ b, 2, 1\n1, 2, 3\n2, 4, 5\n", {}, ", line 1: the values of b must increase, but 1 follows 2"),
        ("a \\ b \\ c, 2, 1\n1, 2, 3\n", {}, ", line 1: the first cell does not have"),
        ("a \\ b, 1, 2\n1, 2, 3\n2, 4, 5\n", {"column": "CD"}, "column: "),
        (
            "a, c\n1, 2\n2, 3\n",
            {"axes": [{"variable": "b"}]},
            "axes: 'b' is not a variable of the file",
        ),
        ("a, c\n1, 2\n2, 3\n", {"axes": [{"variable": "a", "points": [1, 2]}]}, "axes: axes must be a list"),
        ("a, c\n1, 2\n2, 3\n", {"axes": [{"variable": "a"}] * 2}, "axes: axes must be a list"),
        (
            "a [m], c\n1, 2\n2, 3\n",
            {"axes": [{"variable": "a", "unit": "ft"}]},
            "axes: the file already contains the unit of a",
        ),
        ("a, c\n1, 2\n", {}, "axes.0.points: 'points' has 1 point"),
    ],
)
def test_refused_files(tmp_path, text, options, said):
    path = written(tmp_path, text)
    with pytest.raises(BadInput) as caught:
        Table(file=path, **options)
    assert said in str(caught.value)
    if said[0] in ":,":
        assert f"file: {path}{said[:4]}" in str(caught.value)


def test_unreadable_files(tmp_path):
    (tmp_path / "drag.csv").write_text("")
    with pytest.raises(BadInput) as caught:
        Table(file=str(tmp_path / "drga.csv"))
    assert f"there is no such file in {tmp_path}; did you mean 'drag.csv'?" in str(caught.value)
    with pytest.raises(BadInput, match=f"the folder {tmp_path / 'air'};"):
        Table(file=str(tmp_path / "air" / "drag.csv"))
    with pytest.raises(BadInput, match="is a folder"):
        Table(file=str(tmp_path))
    (tmp_path / "latin.csv").write_bytes("mach, größe\n1, 2\n".encode("latin-1"))
    with pytest.raises(BadInput, match="is not UTF-8 text"):
        Table(file=str(tmp_path / "latin.csv"))


def test_a_cell_of_more_than_128_kib_is_refused_with_its_line(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("mach, CD\n0, 0.1\n1, " + "9" * 140_000 + "\n")
    with pytest.raises(Refused, match="line 3: a cell has more than 131072 characters"):
        coefficient_csv.read(str(path))
