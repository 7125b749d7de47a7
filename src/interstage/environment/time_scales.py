"""Dates in astronomical time scales, as whole nanoseconds since 2000-01-01T00:00:00 of the scale.

Sources: IERS Bulletin C (leap seconds); IAU resolution B3 of 2006 (TDB); US Naval Observatory Circular 179,
eq 2.6 (TDB - TT).
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta

SECOND = 1_000_000_000
"""Nanoseconds in a second."""
DAY = 86_400 * SECOND
YEAR_2000 = datetime(2000, 1, 1)
LEAPS = (
    *((1972, 1), (1972, 7), (1973, 1), (1974, 1), (1975, 1), (1976, 1), (1977, 1), (1978, 1), (1979, 1)),
    *((1980, 1), (1981, 7), (1982, 7), (1983, 7), (1985, 7), (1988, 1), (1990, 1), (1991, 1), (1992, 7)),
    *((1993, 7), (1994, 7), (1996, 1), (1997, 7), (1999, 1), (2006, 1), (2009, 1), (2012, 7), (2015, 7)),
    (2017, 1),
)
"""Year and month at whose start TAI - UTC increases by 1 s. It is 10 s from 1972. No leap second after 2017
was announced before 2027."""
FIRST = 10
TT_AFTER_TAI, TAI_AFTER_GPS = 32_184_000_000, 19 * SECOND
SCALES = ("UTC", "TAI", "TT", "TDT", "TDB", "GPS")
"""Names of the supported time scales. TDT is an older name of TT."""
_CALENDAR = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d*))?Z?")
_ORDINAL = re.compile(r"(\d{4})-(\d{3})T(\d\d):(\d\d):(\d\d)(?:\.(\d*))?Z?")


def nanoseconds(date: datetime) -> int:
    """Return a date as nanoseconds. A date with a time zone is converted to UTC; other dates are in the scale
    of the result."""
    if date.tzinfo is not None:
        date = date.astimezone(UTC).replace(tzinfo=None)
    return (date - YEAR_2000) // timedelta(microseconds=1) * 1000


def parse_date(text: str) -> int:
    """Return a date in the form of the CCSDS as nanoseconds: 2026-11-29T12:00:00.5 or 2026-333T12:00:00.5.

    Raises ValueError for other texts. The last second of a day with a leap second is not supported.
    """
    if match := _CALENDAR.fullmatch(text):
        fraction = match[7]
        year, month, day, hour, minute, second = map(int, match.groups()[:6])
        date = datetime(year, month, day, hour, minute, second)
    elif match := _ORDINAL.fullmatch(text):
        fraction = match[6]
        year, day, hour, minute, second = map(int, match.groups()[:5])
        date = datetime(year, 1, 1, hour, minute, second) + timedelta(days=day - 1)
        if date.year != year or day < 1:
            raise ValueError("day of year out of range")
    else:
        raise ValueError("not a date")
    return nanoseconds(date) + int((fraction or "")[:9].ljust(9, "0"))


def date_of(time: int) -> str:
    """Return a time [ns] as a calendar date with milliseconds, for messages."""
    return (YEAR_2000 + timedelta(milliseconds=round(time / 1e6))).isoformat(timespec="milliseconds")


def tai_after_utc(utc: int) -> int:
    """Return TAI - UTC [ns] at a time in UTC, from 1972."""
    past = sum(utc >= nanoseconds(datetime(year, month, 1)) for year, month in LEAPS)
    return (FIRST + past - 1) * SECOND


def tai_of_utc(utc: int) -> int:
    """Return the time in TAI of a time in UTC [ns]. Raises ValueError before 1972."""
    if utc < nanoseconds(datetime(1972, 1, 1)):
        raise ValueError("UTC has whole leap seconds from 1972 only")
    return utc + tai_after_utc(utc)


def from_tai(tai: int, scale: str) -> int:
    """Return the time in a scale of `SCALES` of a time in TAI [ns].

    TDB - TT is an approximation with an error below 40 microseconds. Within a leap second, UTC repeats the
    previous second.
    """
    tt = tai + TT_AFTER_TAI
    match scale:
        case "UTC":
            offset = next(s for s in range(FIRST + len(LEAPS), FIRST - 2, -1) if _holds(tai, s))
            return tai - offset * SECOND
        case "GPS":
            return tai - TAI_AFTER_GPS
        case "TDB":
            return tt + round(tdb_after_tt(tt) * SECOND)
        case "TAI":
            return tai
    return tt


def _holds(tai: int, seconds: int) -> bool:
    return tai_after_utc(tai - seconds * SECOND) >= seconds * SECOND or seconds < FIRST


def tdb_after_tt(tt: int) -> float:
    """Return TDB - TT [s] at a time in TT [ns]; the error is below 40 microseconds."""
    days = tt / DAY - 0.5  # from 2000-01-01T12:00:00
    anomaly = math.radians(357.53 + 0.98560028 * days)
    return 0.001658 * math.sin(anomaly) + 0.000014 * math.sin(2 * anomaly)


def centuries(tt: int) -> float:
    """Return the Julian centuries of TT since J2000.0, which is 2000-01-01T12:00:00 TT."""
    return (tt / DAY - 0.5) / 36525
