"""A short flight with something of every effect that keeps anything: for what must not be forgotten."""

from __future__ import annotations

TEXT = """
[planet]
kind = "earth"
[gravity]
kind = "zonal"

[bodies.core]
mass = 800.0
mass_centre = [2.0, 0.05, 0]
inertia = [500.0, 2000.0, 2100.0]
initial = { latitude = "10 deg", longitude = "20 deg", altitude = "60 km", speed = 2000.0, \
flight_path_angle = "20 deg", azimuth = "70 deg" }
[bodies.core.elements.fuel]
kind = "cylinder"
propellant = 300.0
density = 1140.0
radius = 0.6
bottom = [1, 0, 0]
axis = [1, 0, 0]
[bodies.core.elements.fuel.slosh]
kind = "spring_mass"
acceleration = 30.0
displacement = [0, 0.05, 0.02]
damping_ratio = 0.02
[bodies.core.elements.water]
kind = "cylinder"
propellant = 100.0
density = 1000.0
radius = 0.5
bottom = [3, 0, 0]
axis = [1, 0, 0]
[bodies.core.elements.water.slosh]
kind = "pendulum"
velocity = [0, 0.1, -0.2]
[bodies.core.elements.shroud]
kind = "item"
mass = 20.0
mass_centre = [4.0, 0.4, 0.0]
inertia = [1.0, 1.0, 1.0]
[bodies.upper]
mass = 300.0
mass_centre = [0.5, 0, 0]
inertia = [60.0, 90.0, 95.0]
initial = { through = "stack" }
[bodies.upper.shapes.face]
kind = "box"
at = [1.5, 0, 0]
size = [1.0, 3.0, 0.9]
[bodies.flap]
mass = 10.0
mass_centre = [0.4, 0, 0]
inertia = [0.1, 0.8, 0.9]
initial = { through = "hinge", relative_angular_velocity = [0, 0.8, 0] }
[joints.stack]
kind = "fixed"
parent = "core"
child = "upper"
parent_at = [5, 0, 0]
child_at = [0, 0, 0]
[joints.hinge]
kind = "revolute"
axis = "y"
parent = "upper"
child = "flap"
parent_at = [0.6, 0, 0.7]
child_at = [0, 0, 0]
[forces.tie]
kind = "spring"
parent = "upper"
child = "flap"
parent_at = [1.0, 0.3, 0.8]
child_at = [0.5, 0.1, 0]
stiffness = 50.0
damping = 5.0
[engines.main]
kind = "engine"
body = "core"
at = [0, 0, 0]
thrust = 30e3
isp = 290.0
feeds = { "core.fuel" = 1.0 }
ignited = true
tail_off_time = 0.3
start = { time = [0, 0.2, 0.4], value = [0, 0.3, 1] }
gimbal = { pitch = "actuators.pitch", yaw = "controls.yaw" }
throttle = "controls.throttle"

[controls.pitch]
kind = "pid"
body = "core"
measured = "bodies.core.alpha"
rate = "bodies.core.angular_velocity.y"
target = 0.02
kp = 0.5
ki = 0.3
kd = 0.4
[controls.yaw]
kind = "pid"
body = "core"
measured = "bodies.core.angular_velocity.z"
target = 0.0
kp = 0.4
ki = 0.2
period = 0.03
phases = ["rise", "swing"]
[controls.throttle]
kind = "pid"
measured = "bodies.core.axial_load_factor"
target = 2.0
bias = 0.9
ki = 0.6
lower = 0.4
upper = 1.0
period = 0.05
[actuators.pitch]
command = "controls.pitch"
gain = -1.0
unit = "rad"
lower = -0.1
upper = 0.1
model = { kind = "second_order", frequency = "25 rad/s", damping = 0.7 }

[devices.bolt]
kind = "explosive_bolt"
joints = ["stack"]
delay = 0.15
axis = [1, 0, 0]
impulse = 12.0
[devices.gas]
kind = "gas_chamber"
pressure = "8 bar"
volume = "0.9 l"
heat_ratio = 1.3
[devices.first]
kind = "piston"
parent = "core"
child = "upper"
parent_at = [5, 0.4, 0]
child_at = [0, 0.4, 0]
axis = [1, 0, 0]
contact = "slides"
stroke = 0.3
chamber = "gas"
area = "12 cm^2"
after = "bolt released"
[devices.late]
kind = "piston"
parent = "core"
child = "upper"
parent_at = [5, -0.4, 0]
child_at = [0, -0.4, 0]
axis = [1, 0, 0]
stroke = 0.3
chamber = "gas"
area = "12 cm^2"
delay = 0.4
[devices.strut]
kind = "kickoff_spring"
parent = "core"
child = "upper"
parent_at = [5, 0.3, 0.3]
child_at = [0.02, 0.3, 0.3]
stiffness = 1e3
preload = 250.0
stroke = 0.2
[devices.spring]
kind = "kickoff_spring"
parent = "core"
child = "upper"
parent_at = [5, 0, 0.4]
child_at = [0, 0, 0.4]
axis = [1, 0, 0]
stiffness = 2e3
preload = 400.0
stroke = 0.15

[contacts.tip]
body = "flap"
points = [0.8, 0, 0]
radius = 0.05
against = ["upper"]
stiffness = 200.0
exponent = 1.0
reference_depth = 1e-3
damping = 0.1
friction = 0.2

[phases.rise]
until = { time = 0.6 }
[phases.swing]
fire = ["bolt", "late"]
until = { elapsed = 0.3 }
[phases.apart]
fire = ["spring"]
until = { elapsed = 0.6 }

[events.caught]
when = { time = 0.45 }
replace = { hinge = { kind = "fixed" } }
[events.freed]
after = "caught"
when = { elapsed = 0.5 }
replace = { hinge = { kind = "revolute", axis = "y" } }
[events.lighter]
after = "bolt released"
when = { elapsed = 0.05 }
shut_down = ["main"]
drop = ["core.shroud"]

[solver]
method = "rk4"
step = "5 ms"
[output]
interval = 0.1
"""
