"""A sphere thrown up and to the east from the equator, flown by JSBSim: gravity with J2, rotating Earth, US
Standard Atmosphere 1976, constant drag; its settings are those of any JSBSim aircraft."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import jsbsim
import numpy as np
from numpy.typing import NDArray

FOOT = 0.3048
SPEED_EAST, SPEED_UP = 900.0, 2000.0
"""Speed over the ground at the start [m/s]."""
DURATION = 200.0
STEP = 1 / 120
"""JSBSim's usual step [s]."""
AIRCRAFT = """<?xml version="1.0"?>
<fdm_config name="ball" version="2.0" release="BETA">
  <fileheader><description>A sphere of one slug with a diameter of half a foot</description></fileheader>
  <metrics>
    <wingarea unit="FT2">0.1963495</wingarea>
    <wingspan unit="FT">0.5</wingspan>
    <chord unit="FT">0.5</chord>
    <htailarea unit="FT2">0</htailarea>
    <htailarm unit="FT">0</htailarm>
    <vtailarea unit="FT2">0</vtailarea>
    <vtailarm unit="FT">0</vtailarm>
    <location name="AERORP" unit="IN"><x>0</x><y>0</y><z>0</z></location>
  </metrics>
  <mass_balance>
    <ixx unit="SLUG*FT2">3.6</ixx>
    <iyy unit="SLUG*FT2">3.6</iyy>
    <izz unit="SLUG*FT2">3.6</izz>
    <emptywt unit="KG">14.593902937206365</emptywt>
    <location name="CG" unit="IN"><x>0</x><y>0</y><z>0</z></location>
  </mass_balance>
  <ground_reactions/>
  <propulsion/>
  <flight_control name="none"/>
  <aerodynamics>
    <axis name="DRAG">
      <function name="aero/force/drag">
        <product>
          <property>aero/qbar-psf</property>
          <property>metrics/Sw-sqft</property>
          <value>0.1</value>
        </product>
      </function>
    </axis>
  </aerodynamics>
</fdm_config>
"""


class Ball:
    """The sphere, read once."""

    def __init__(self):
        os.environ["JSBSIM_DEBUG"] = "0"  # no banner
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder) / "aircraft" / "ball"
            home.mkdir(parents=True)
            (home / "ball.xml").write_text(AIRCRAFT)
            self.model = jsbsim.FGFDMExec(folder)
            self.model.set_debug_level(0)
            self.model.load_model("ball")

    def fly(self, step: float = STEP) -> NDArray[np.float64]:
        """From the start with steps of a size [s]; returns the inertial position (3,) [m] at the end."""
        model = self.model
        model.set_dt(step)
        model["simulation/gravity-model"] = 1  # WGS 84 with J2
        for place in ("lat-geod-deg", "long-gc-deg", "h-sl-ft", "vn-fps"):
            model[f"ic/{place}"] = 0.0
        model["ic/ve-fps"], model["ic/vd-fps"] = SPEED_EAST / FOOT, -SPEED_UP / FOOT
        model.run_ic()
        for _ in range(round(DURATION / step)):
            model.run()
        return np.array([model[f"position/eci-{axis}-ft"] for axis in "xyz"]) * FOOT
