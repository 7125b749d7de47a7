"""Makes the pictures of the README and of pages:
python docs/images/make.py [demo] [compare] [campaign] [lesson] [envelope] [fairing]

The comparison's tables go into the page as well."""

import io
import subprocess
import sys
from pathlib import Path

from rich.console import Console

import interstage
from interstage.report.console import show_tables
from interstage.report.figures import figures
from interstage.studies.comparison.printed import notes, tables

HERE = Path(__file__).parent
PAGE = HERE.parent / "formulations.md"
BEGIN, END = "<!-- printed by images/make.py -->\n", "<!-- up to here -->\n"
EXAMPLES = HERE.parents[1] / "examples"
SPINNING = {"bodies.stage.initial.angular_velocity": "[3, 0, 180] deg/s", "phases.joined.until.time": "5 s"}
VARIANTS = [
    "lagrange_multiplier",
    "lagrange_multiplier:stabilization=none",
    "null_space",
    "regularized",
    "staggered",
    "simultaneous",
]


def demo() -> None:
    """The separation of the demo."""
    flight = interstage.load(EXAMPLES / "payload_separation.toml").run()
    figures(flight.record)[0].save(HERE / "payload_separation.png")


def compare() -> None:
    """The first separation, spinning, by several formulations."""
    found = interstage.load(EXAMPLES / "first.toml", set=SPINNING).compare(VARIANTS, steps="5 ms")
    found.figure().save(HERE / "compare.png")
    text = io.StringIO()
    show_tables(Console(width=120, file=text), [t for t in tables(found, "SI") if t.key != "events"])
    lines = [*text.getvalue().splitlines(), *notes(found)]
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    block = "".join(f"    {line}".rstrip() + "\n" for line in lines)
    PAGE.write_text(before + BEGIN + block + END + rest.partition(END)[2], encoding="utf-8")


def campaign() -> None:
    """The tip-off rate in the campaign of docs/campaigns.md, from its saved results in the
    current folder."""
    found = interstage.CampaignResult.load("campaign.cases").figures()
    (tip_off,) = [one for one in found if one.caption.startswith("tip_off: distribution")]
    tip_off.save(HERE / "campaign.png")


def envelope() -> None:
    """The envelope of docs/howto/envelopes.md, from its saved results in the current folder."""
    found = interstage.CampaignResult.load("rates.cases").figures()
    (rate,) = [one for one in found if one.key == "envelope"]
    rate.save(HERE / "envelope.png")


def lesson() -> None:
    """The tip-off rate in the lesson of 1000 cases, from its saved results in the current folder."""
    found = interstage.CampaignResult.load("tip_off.cases").figures()
    (tip_off,) = [one for one in found if one.caption.startswith("tip_off: distribution")]
    tip_off.save(HERE / "tip_off_1000.svg")


def fairing() -> None:
    """The moving picture of the README, from the video fairing.mp4 in the current folder.

    `interstage show --video` makes the video from the flight of examples/fairing.toml."""
    shown = "setpts=PTS/4,fps=10,crop=820:720:230:0,scale=480:-1:flags=lanczos,split[a][b]"
    colours = "[a]palettegen=max_colors=64:stats_mode=diff[p];[b][p]paletteuse=dither=none"
    command = ["ffmpeg", "-y", "-i", "fairing.mp4", "-vf", f"{shown};{colours}", str(HERE / "fairing.gif")]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or ("demo", "compare"):
        {
            "demo": demo,
            "compare": compare,
            "campaign": campaign,
            "lesson": lesson,
            "envelope": envelope,
            "fairing": fairing,
        }[name]()
