"""Flexible bodies: modal coordinates, attachment nodes that move with them, and their coupling with joints.

A declaration of `model.flexible` makes a body flexible. The modes of a free body are orthogonal to its rigid
motion and to each other. Let r, R, v, w be position, rotation, velocity and angular velocity of its mean
axes, with the origin at the centre of mass. A point P = a + phi q (structural axes) is then at r + R P.
Kinetic and strain energy are

    T = m v.v/2 + w.J w/2 + sum m_i q_i'^2/2,      V = sum m_i w_i^2 q_i^2/2

Second-order terms of the elastic displacement are neglected: the undeformed shape determines the inertia, and
rotation does not change the stiffness (mean axes: R. D. Milne, AIAA Journal 6, 1968; M. R. Waszak and D. K.
Schmidt, Flight dynamics of aeroelastic vehicles, Journal of Aircraft 25, 1988). The rigid-body equations are
unchanged for forces F and torques T at points, with moments about the displaced P. The modal coordinates obey

    m_i (q_i'' + 2 zeta_i w_i q_i' + w_i^2 q_i) = sum over points phi_i.F + psi_i.J^T T

with J of `maths.rotation_vectors`, F and T in structural axes. These equations follow from the Lagrangian
with the exact work of the loads. Momentum, angular momentum and energy of several flexible bodies are
therefore conserved for any joints.

Each attachment on a flexible body (`model.effect.Effect.stands`) has its own node. A node is a frame that
moves with the nearest point of the body that has mode shapes.

| module | contents |
|---|---|
| `columns` | bodies, the ground and nodes as columns of arrays |
| `bodies` | `FlexibleBodies`: modes, states, energy and nodes of all flexible bodies |
| `modal_stiffness` | values of modes and nodes as arrays |
| `node_motion` | motion, loads and accelerations of nodes |
| `coupling` | nodes and modes in the equations of bodies and joints |

Other modules of the engine always call `coupling`. If a scenario has no flexible bodies, it has no nodes, and
the functions of `coupling` return their arguments.
"""
