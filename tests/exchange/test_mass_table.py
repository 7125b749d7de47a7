"""Tables of mass properties: values, units, signs and reference points, and messages with the line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interstage
from interstage.exchange.mass_table import read
from interstage.model.body import central_inertia
from interstage.reading import loads
from interstage.tree.errors import BadInput, Refused
from interstage.tree.toml_file import dumps

HEADER = "name, mass [kg], x [m], y [m], z [m], Ixx [kg m^2], Iyy [kg m^2], Izz [kg m^2], about"
ALL = (
    "name, mass [kg], x [m], y [m], z [m], Ixx [kg m^2], Iyy [kg m^2], Izz [kg m^2], Ixy [kg m^2], "
    "Ixz [kg m^2], Iyz [kg m^2], products, about"
)
SCENARIO = """
bodies.one = { file = "mass.csv", initial = {} }
phases.free = { until = { time = "1 s" } }
"""


@pytest.fixture
def table(tmp_path):
    """Writes a table, and returns its path."""

    def write(*lines: str) -> str:
        file = tmp_path / "mass.csv"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(file)

    return write


def cloud(random: np.random.Generator) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """Return mass, centre of mass, and tensors about the centre of mass and about the origin of 7 points."""
    masses, points = random.uniform(1, 5, 7), random.normal([3, 0.2, -0.4], [2, 1, 1.5], (7, 3))
    mass = masses.sum()
    centre = (masses[:, None] * points).sum(axis=0) / mass

    def tensor(about: np.ndarray) -> np.ndarray:
        total = np.zeros((3, 3))
        for m, (x, y, z) in zip(masses, points - about, strict=True):
            total += m * np.array(
                [
                    [y * y + z * z, -x * y, -x * z],
                    [-x * y, x * x + z * z, -y * z],
                    [-x * z, -y * z, x * x + y * y],
                ]
            )
        return total

    return mass, centre, tensor(centre), tensor(np.zeros(3))


@pytest.mark.parametrize("about", ["mass_centre", "origin"])
@pytest.mark.parametrize("products", ["tensor", "integrals"])
@pytest.mark.parametrize(
    ("mass_unit", "length", "inertia_unit", "factors"),
    [
        ("kg", "m", "kg m^2", (1.0, 1.0, 1.0)),
        ("t", "mm", "kg m^2", (1e3, 1e-3, 1.0)),
        # 1 slug = 0.45359237 * 9.80665 / 0.3048 kg, 1 ft = 0.3048 m, 1 in = 0.0254 m
        ("slug", "in", "slug ft^2", (14.593902937206364, 0.0254, 14.593902937206364 * 0.3048**2)),
    ],
)
def test_dispersed_rows_have_the_inertia_of_their_points(
    table, tmp_path, about, products, mass_unit, length, inertia_unit, factors
):
    random = np.random.default_rng(20)
    drawn = {f"case_{k}": cloud(random) for k in range(8)}
    head = [f"name,mass [{mass_unit}]", *(f"{axis} [{length}]" for axis in "xyz")]
    head += [f"I{pair} [{inertia_unit}]" for pair in ("xx", "yy", "zz", "xy", "xz", "yz")]
    rows = []
    for name, (mass, centre, central, of_origin) in drawn.items():
        tensor = central if about == "mass_centre" else of_origin
        sign = 1 if products == "tensor" else -1
        moments = [*np.diag(tensor), *(sign * tensor[[0, 0, 1], [1, 2, 2]])]
        numbers = [mass / factors[0], *(centre / factors[1]), *(np.array(moments) / factors[2])]
        rows.append(",".join([name, *(repr(float(number)) for number in numbers), products, about]))
    table(",".join([*head, "products", "about"]), *rows)
    for name, (mass, centre, central, _) in drawn.items():
        text = SCENARIO.replace('"mass.csv"', f'"mass.csv", row = "{name}"')
        body = loads(text, folder=tmp_path).bodies[0]
        # All digits are written. Sums and the parallel-axis theorem lose a few roundings of the moments.
        size = 1e-13 * np.abs(central).max() + 1e-13 * mass * centre @ centre
        assert np.allclose(central_inertia(body), central, rtol=0, atol=size)
        assert body.mass == pytest.approx(mass, rel=1e-14)
        assert np.allclose(body.mass_centre, centre, rtol=1e-13, atol=0)


def test_the_row_has_the_name_of_the_body_and_values_can_be_changed(table, tmp_path):
    table(HEADER, "other, 5, 0, 0, 0, 1, 1, 1, mass_centre", "one, 7, 0.1, 0, 0, 1, 2, 2, mass_centre")
    (tmp_path / "a.toml").write_text(SCENARIO, encoding="utf-8")
    body = interstage.load(tmp_path / "a.toml").bodies[0]
    assert (float(body.mass), body.file, body.row) == (7, None, None)
    assert np.array_equal(body.inertia, np.diag([1, 2, 2]))
    changed = interstage.load(tmp_path / "a.toml", {"bodies.one.mass": "9 kg"}).bodies[0]
    assert (float(changed.mass), float(changed.mass_centre[0])) == (9, 0.1)
    other = interstage.load(tmp_path / "a.toml", {"bodies.one.row": "other"}).bodies[0]
    assert float(other.mass) == 5


def test_a_saved_scenario_needs_no_table(table, tmp_path):
    file = table(HEADER, "one, 7, 0.1, 0, 0, 1, 2, 2, origin")
    scenario = loads(SCENARIO, folder=tmp_path)
    Path(file).unlink()
    assert loads(dumps(scenario)) == scenario


def test_numbers_in_si_by_the_first_line_need_no_units(table):
    si = "# Numbers without a unit are in SI, angles in radians."
    names = "name, mass, x, y, z, Ixx, Iyy, Izz, about"
    assert read(table(si, names, "one, 7, 1, 2, 3, 1, 2, 2, origin"))["one"].mass == 7


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (
            (HEADER.replace("[kg]", "[kgg]"), "one,1,0,0,0,1,1,1,origin"),
            "line 1: column mass: unknown unit 'kgg'",
        ),
        ((HEADER.replace("[kg]", ""), "one,1,0,0,0,1,1,1,origin"), "the column mass has no unit"),
        (
            (HEADER.replace("Ixx [kg m^2]", "Ixx [kg m]"), "one,1,0,0,0,1,1,1,origin"),
            "Ixx is in kg m. Use kg m^2",
        ),
        ((HEADER.replace("Izz [kg m^2], ", ""), "one,1,0,0,0,1,1,origin"), "the columns Izz are missing"),
        ((HEADER.replace(", about", ""), "one,1,0,0,0,1,1,1"), "about is the reference point of the moments"),
        ((ALL.replace(", products", ""), "one,1,0,0,0,1,1,1,0,0,0,origin"), "products is the sign of Ixy"),
        ((HEADER + ", colour", "one,1,0,0,0,1,1,1,origin,red"), "the columns colour are unknown"),
        ((HEADER, "one,1,0,0,0,1,-1,1,origin"), "line 2: column Iyy: -1 is negative"),
        ((HEADER, "one,0,0,0,0,1,1,1,origin"), "line 2: column mass: 0 is not above zero"),
        ((HEADER, "one,1,0,0,0,1,1,1,cg"), "column about: 'cg' is not allowed; allowed: mass_centre, origin"),
        ((ALL, "one,1,0,0,0,1,1,1,0,0,0,,origin"), "column products: the cell is empty"),
        ((HEADER, "one,1,0,0,0,1,1,1,origin", "one,1,0,0,0,1,1,1,origin"), "line 3: 'one' has two rows"),
        ((HEADER, "one,a,0,0,0,1,1,1,origin"), "column mass: 'a' is not a finite number"),
    ],
)
def test_faults_have_the_line_and_the_fix(table, lines, text):
    with pytest.raises(Refused) as refused:
        read(table(*lines))
    assert text in refused.value.problems[0].message


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            'file = "mass.csv", mass = 5',
            "bodies.one.mass: 'mass' and 'file' are both set. Remove one of them",
        ),
        ('file = "mass.csv", row = "onee"', "there is no row 'onee'"),
        ('row = "one", mass = 1, inertia = [1, 1, 1]', "bodies.one.row: is set without file"),
        ("file = 3", "bodies.one.file: must be the path of a CSV table"),
        ('file = "mas.csv"', "did you mean 'mass.csv'?"),
    ],
)
def test_faults_of_the_body(table, tmp_path, body, text):
    table(HEADER, "one, 7, 0.1, 0, 0, 1, 2, 2, origin")
    with pytest.raises(BadInput) as error:
        loads(SCENARIO.replace('file = "mass.csv"', body), folder=tmp_path)
    assert text in str(error.value)


def test_the_triangle_inequality_is_checked_about_the_centre_of_mass(table, tmp_path):
    """About the origin these moments are possible, about the centre of mass they are not: 2 kg at 1 m."""
    table(HEADER, "one, 2, 1, 0, 0, 3, 3, 3, origin")
    with pytest.raises(BadInput, match="the largest must not exceed the sum"):
        loads(SCENARIO, folder=tmp_path)
    table(HEADER, "one, 2, 0.1, 0, 0, 3, 3, 3, origin")
    assert loads(SCENARIO, folder=tmp_path).bodies[0].mass == 2
