"""Files that cannot be written: refused beforehand without a trace, and kept elsewhere where that shows too
late."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import interstage as ist
import stub_flight
from interstage.cli.command_files import check_target, deliver_flight
from interstage.exchange import mat
from interstage.exchange.csv_file import write_csv
from interstage.reading import loads
from interstage.record import netcdf_file
from interstage.record.results import Flight
from interstage.tree.errors import BadInput, why
from interstage.tree.saving import save_file


@pytest.mark.parametrize("name", ["flight.nc", "table.csv", "page.html"])
def test_a_place_that_can_be_written_is_left_as_it_is(tmp_path, name):
    check_target(tmp_path / name, None)
    assert list(tmp_path.iterdir()) == []
    old = tmp_path / name
    old.write_text("old")
    before = old.stat().st_mtime_ns
    check_target(old, None)
    assert (old.read_text(), old.stat().st_mtime_ns, len(list(tmp_path.iterdir()))) == ("old", before, 1)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="a folder where nobody may make files")
@pytest.mark.parametrize("name", ["flight.nc", "table.csv"])
def test_a_place_where_no_file_can_be_made_is_refused(name):
    """Not even by the administrator, whom the system tells that the folder is writable."""
    with pytest.raises(BadInput, match=f"'/proc/{name}' cannot be written: .*. Choose another path"):
        check_target(Path("/proc") / name, None)


@pytest.mark.parametrize("length", [253, 248, 5000])
def test_a_name_that_is_too_long_is_refused(tmp_path, length):
    """Also where the name of the draft is, with which a flight begins."""
    with pytest.raises(BadInput, match="cannot be written: File name too long"):
        check_target(tmp_path / ("a" * (length - 3) + ".nc"), None)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_after_all_is_kept_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)

    def write(path):
        if path.parent == Path("/full"):
            raise BadInput(f"cannot write '{path}': No space left on device. Choose another file")
        path.write_text("all of it")

    with pytest.raises(BadInput) as told:
        save_file(Path("/full/flight.nc"), write, "the flight")
    (kept,) = tmp_path.glob("interstage-*/flight.nc")
    assert kept.read_text() == "all of it"
    wanted = (
        f"'/full/flight.nc': No space left on device. Choose another file. The flight is saved in '{kept}'"
    )
    assert str(told.value) == f"cannot write {wanted}"


def test_what_can_be_written_nowhere_says_why():
    def write(path):
        raise BadInput("no")

    with pytest.raises(BadInput, match=r"^no\. The flight is lost: it could not be .* either \(no\)\. Free"):
        save_file(Path("a.nc"), write, "the flight")


def test_a_full_disk_and_a_full_temporary_folder(tmp_path, monkeypatch):
    """The message states what is lost; nothing is left of a file that was begun."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    record = stub_flight.separation_record(stub_flight.flown_scenario())
    flight = Flight(record, versions={"interstage": "0"})
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))  # too small for both files
    try:
        with pytest.raises(BadInput) as caught:
            save_file(tmp_path / "flight.nc", flight.save, "the flight", flight.save_numbers)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "The flight is lost: it could not be written to the temporary folder either" in str(caught.value)
    assert f"({os.strerror(errno.EFBIG)}). Free some space, or set TMPDIR" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_any_error_is_a_reason_to_keep_it_elsewhere(tmp_path, monkeypatch):
    """Also a fault of the program itself; if the whole cannot be written at all, the numbers are."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)

    def write(path):
        if path.parent == Path("/first"):
            raise ValueError("embedded null byte")
        path.write_text("all of it")

    def never(path):
        raise TypeError("it never works")

    with pytest.raises(BadInput, match=r"written: ValueError: embedded null byte\. The flight is saved in"):
        save_file(Path("/first/flight.nc"), write, "the flight")
    with pytest.raises(
        BadInput, match=r"Only the numeric arrays of the flight are saved, in '.*flight\.npz'"
    ):
        save_file(Path("/first/flight.nc"), never, "the flight", lambda path: path.write_text("numbers"))
    with pytest.raises(BadInput, match=r"flight is lost: .* either .*TypeError: it never works"):
        save_file(Path("/first/flight.nc"), never, "the flight")
    assert sorted(path.name for path in tmp_path.glob("*/*")) == ["flight.nc", "flight.npz"]


def test_the_numbers_of_a_flight_alone(tmp_path):
    record = stub_flight.separation_record(stub_flight.flown_scenario())
    Flight(record, versions={"interstage": "0"}).save_numbers(tmp_path / "flight.npz")
    with np.load(tmp_path / "flight.npz") as found:
        np.testing.assert_array_equal(found["bodies.stage.position"], record.series["bodies.stage.position"])
        np.testing.assert_array_equal(found["events.name"], [event.name for event in record.events])


@pytest.mark.parametrize("mark", ["\0", "\x1b", "\x7f", "\x85", "\b"])
def test_control_characters_are_refused_where_they_stand(mark):
    """In files with the line, in values that are set, and in Python. Tabs and ends of lines may stand."""
    code, says = f"\\u{ord(mark):04x}", rf"has the control character U\+{ord(mark):04X} at position 2"
    text = f'title = "ok"\n[sources."bodies.a.mass"]\nsource = "x{code}"'
    with pytest.raises(BadInput, match=rf"line 3: .*: {says}"):
        loads(text)
    with pytest.raises(BadInput, match=f"a key of this table {says}"):
        loads(f'[bodies."a{code}"]\nmass = 1')
    with pytest.raises(BadInput, match=f"--set title: {says}"):
        loads('title = "ok"', set={"title": f"a{mark}"})
    with pytest.raises(BadInput, match=f"title: {says}"):
        ist.Scenario(title=f"a{mark}")
    assert ist.Scenario(title="a\tb\n").title == "a\tb\n"


def test_texts_that_no_file_holds_cost_no_flight(tmp_path):
    """A part of another package may give any text: a NUL character or half of one stands as a sign."""
    record = stub_flight.separation_record(stub_flight.flown_scenario())
    record = replace(record, outcome="ended \0 here \ud800")
    Flight(record, versions={"interstage": "0"}).save(tmp_path / "flight.nc")
    assert ist.open_flight(tmp_path / "flight.nc").outcome == "ended \ufffd here ?"


class Stuck:
    """A flight of which only the saving is looked at."""

    def __init__(self):
        self.record = self.saved = None

    def save_numbers(self, path):
        """Never needed."""
        raise AssertionError

    def save(self, path):
        """Save nothing, twice."""
        if self.saved is None:
            self.saved = path
            raise BadInput("cannot write it")


def test_a_flight_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("interstage.report.summary.tables", lambda record, units: [])
    with pytest.raises(BadInput, match=r"cannot write it\. The flight is saved in '.*flight\.nc'"):
        deliver_flight(Stuck(), tmp_path / "flight.nc", None, None)  # type: ignore[arg-type]


def test_a_report_is_kept(tmp_path, monkeypatch):
    """A page that cannot be written to its place is written to the temporary folder."""

    def write(flight, path, units):
        if path.parent == tmp_path:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        path.write_text("page")

    monkeypatch.setattr("interstage.report.summary.tables", lambda record, units: [])
    monkeypatch.setattr("interstage.report.page.write", write)
    with pytest.raises(BadInput, match=r"The report is saved in '.*flight\.html'") as caught:
        deliver_flight(Stuck(), None, tmp_path / "flight.html", None)  # type: ignore[arg-type]
    kept = Path(str(caught.value).rpartition(" in '")[2].rstrip("'"))
    assert kept.read_text() == "page"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            OSError(errno.ENOSPC, "Unable to synchronously create file (unable to open)"),
            os.strerror(errno.ENOSPC),
        ),
        (
            OSError("Can't write data (file write failed: errno = 28, error message = 'No space left')"),
            "No space left",
        ),
        (OSError("something else"), "something else"),
    ],
)
def test_the_words_of_the_system_are_told(error, said):
    assert why(error) == said


def test_a_full_disk_is_told_once(tmp_path, capfd):
    """The library of the file format, asked to write to it, tells of itself on the standard error."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(BadInput, match=r"cannot write '.*': File too large\. Choose another file"):
            netcdf_file.write(tmp_path / "a.nc", {}, {f"text {k}": "x" * 1000 for k in range(100)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert capfd.readouterr().err == ""
    assert list(tmp_path.iterdir()) == []


def test_a_flight_file_says_why_in_the_words_of_the_system(tmp_path):
    with pytest.raises(BadInput, match=r"a\.nc': No such file or directory\. Choose another file with -o"):
        netcdf_file.write(tmp_path / "gone" / "a.nc", {}, {})


def _savers(tmp_path):
    """Every kind of file that is written, by its ending."""
    import xarray

    from interstage.drawing import pictures
    from interstage.drawing.figure import Axis, Figure, Panel
    from interstage.report.page import save_page
    from interstage.tree import saving

    figure = Figure("caption", [[Panel(x=Axis("x", 0.0, 1.0), y=Axis("y", 0.0, 1.0))]])
    tree = xarray.Dataset({"x": ("t", [1.0])})
    return {
        "page.html": lambda path: save_page("page", path),
        "table.csv": lambda path: write_csv(path, [["a", "b"], [1, 'c"']]),
        "figure.svg": lambda path: pictures.save(figure, path, 100.0),
        "figure.png": lambda path: pictures.save(figure, path, 100.0),
        "sweep.nc": lambda path: saving.write_dataset(path, tree),
        "flight.nc": lambda path: netcdf_file.write(path, {}, {"a": "b"}),
        "linear.mat": lambda path: mat.write(path, {"A": [1.0]}),
        "any.toml": lambda path: saving.write_file(path, "a = 1\n"),
    }


def test_every_file_is_written_aside_and_renamed(tmp_path, monkeypatch):
    """A full disk leaves the older file as it was, and nothing else; so does an interrupt."""
    old = {name: f"older {name}" for name in _savers(tmp_path)}
    for error, raised in ((OSError(errno.ENOSPC, ""), BadInput), (KeyboardInterrupt(), KeyboardInterrupt)):
        for name, save in _savers(tmp_path).items():
            (tmp_path / name).write_text(old[name])

            def full(path, data, error=error):
                Path.write_text(path, "half")
                raise error

            with monkeypatch.context() as patch:
                patch.setattr(Path, "write_bytes", full)
                with pytest.raises(raised):
                    save(tmp_path / name)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == old
    for name, save in _savers(tmp_path).items():
        save(tmp_path / name)
        assert (tmp_path / name).read_bytes() != old[name].encode()
    assert {path.name for path in tmp_path.iterdir()} == {*old}
    assert (tmp_path / "table.csv").read_bytes() == b'a,b\r\n1,"c"""\r\n'


def test_a_link_and_permissions_stay(tmp_path):
    from interstage.tree.saving import write_file

    file, link = tmp_path / "a.csv", tmp_path / "link.csv"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_file(link, "new")
    assert (link.is_symlink(), file.read_text(), file.stat().st_mode & 0o777) == (True, "new", 0o640)


def test_a_pipe_is_written_directly(tmp_path):
    from interstage.tree.saving import write_file

    pipe = tmp_path / "a.csv"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_file(pipe, "through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)


def test_nothing_is_written_past_the_one_writer():
    """Only `tree/saving.py` opens files to write; a log of a worker or a temporary program is no output."""
    import re

    import interstage

    root = Path(str(interstage.__file__)).parent
    writes = re.compile(r"""\.write_(text|bytes)\(|open\([^)]*["'][wax]b?\+?["']|savefig\(|savemat\(""")
    allowed = {
        "tree/saving.py",
        "cli/main.py",  # nothing, in the place of closed streams
        "tree/errors.py",  # the same
        "studies/fmu/export.py",  # C code in a temporary folder
        "studies/optimization/resume.py",
        "studies/campaign/folder.py",  # the lock of a folder
        "programs/store.py",  # bytes into the file of `replacing`
        "drawing/pictures.py",  # into memory
        "exchange/mat.py",  # into memory
        "playback/filming.py",  # a page in a temporary folder
        "studies/campaign/object_store.py",  # lines at the end of a file in the local copy
    }
    sources = {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in root.rglob("*.py")}
    assert {name for name, text in sources.items() if writes.search(text)} - allowed == set()
