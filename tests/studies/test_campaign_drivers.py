"""Drivers of the responses of a campaign."""

from __future__ import annotations

from campaign_results import DISPERSIONS, STUDY, invented_result


def test_inputs_that_share_one_draw_count_as_one():
    """Two equal columns made the regression impossible, and both stood in the table."""
    shared = {"path": ["bodies.stage.mass", "bodies.stage.inertia"], "three_sigma": "3 %", "shared": True}
    result = invented_result({**STUDY, "dispersions": {**DISPERSIONS, "size": shared}})
    alone, found = invented_result().drivers("speed"), result.drivers("speed")
    assert found.regression is not None
    assert "one draw count as one input: bodies.stage.mass with bodies.stage.inertia" in found.note
    assert set(found.inputs) == {"mass", "offset_1", "offset_2", "size_1"}
    assert found.inputs[0] == alone.inputs[0] == "mass"
    assert "one draw" not in alone.note
