"""Looks at a pass-or-fail requirement: the tables of equal risk, the true risk, and simulated campaigns."""

from __future__ import annotations

import numpy as np
import pytest
from interval_coverage import CAMPAIGNS, error_of

from interstage.statistics.binomial import smallest_cases
from interstage.statistics.looks import plan_looks, risk_of_looks, true_risk

PLANS = {
    1: ("0.1", [852]),
    2: ("0.0666", [1003, 1626]),
    3: ("0.0535", [1084, 1725, 2296]),
    5: ("0.04128", [1179, 1841, 2427, 2975, 3502]),
    10: ("0.02992", [1299, 1983, 2586, 3149, 3688, 4210, 4720, 5219, 5711, 6195]),
}


@pytest.mark.parametrize("looks", PLANS)
def test_declared_looks_share_the_risk(looks):
    risk, cases = PLANS[looks]
    plan = plan_looks(0.9973, 0.9, looks)
    digits = len(risk) - 2
    assert (round(plan.risk_of_each, digits), [*plan.cases]) == (float(risk), cases)
    assert [*plan.allowed] == [*range(looks)]
    # The next smaller number of cases at any look would exceed the overall risk, or just keep it.
    assert 0.0995 < plan.overall_risk <= 0.1


def test_undeclared_looks_have_their_true_risk():
    found = true_risk(smallest_cases(0.9973, 0.9, np.arange(10)), 0.9973)
    assert (100 * found.risks[:5]).round(1).tolist() == [10.0, 14.7, 17.8, 20.0, 21.9]
    assert round(100 * found.risks[9], 1) == 27.6
    assert "evaluated 10 times" in found.sentence
    assert "27.6 %, not 10 %" in found.sentence


def test_the_recursion_is_that_of_simulated_campaigns():
    draw = np.random.default_rng(31)
    plan = plan_looks(0.9973, 0.9, 5)
    for cases, allowed in ((plan.cases, plan.allowed), ((1000, 1500, 4000), (0, 1, 6))):
        steps = np.diff([0, *cases])
        failures = np.cumsum(draw.binomial(steps, 1 - 0.9973, (10 * CAMPAIGNS, len(steps))), axis=1)
        passed = np.logical_or.accumulate(failures <= np.array(allowed), axis=1).mean(0)
        exact = risk_of_looks(cases, allowed, 0.9973)
        assert (np.abs(passed - exact) <= [error_of(risk, 10 * CAMPAIGNS) for risk in exact]).all()


def test_looks_at_given_numbers_of_cases():
    plan = plan_looks(0.9973, 0.9, cases=[1000, 2000, 3000, 4000])
    assert plan.allowed == (-1, 1, 3, 5)
    assert plan.overall_risk <= 0.1
    more = np.array(plan.allowed) + 1
    assert risk_of_looks(plan.cases, more.tolist(), 0.9973)[-1] > 0.1


def test_judgements():
    plan = plan_looks(0.9973, 0.9, 3)
    start = "At least 99.73 % of cases meet the requirement, with 90 % confidence: "
    first = f"{start}shown at look 1 of 3. 0 of 1084 cases failed; 0 failures are allowed."
    assert plan.judge(1, 0) == first
    assert plan.judge(2, 2) == (
        f"{start}not shown at look 2 of 3. 2 of 1725 cases failed; 1 failure is allowed. "
        "At the next look, at 2296 cases, 2 failures are allowed."
    )
    assert "No later look can pass" in plan.judge(2, 3)
    assert plan.judge(3, 3).endswith("This was the last look.")


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: plan_looks(0.99), "looks: looks and cases are both"),
        (lambda: plan_looks(0.99, looks=0), "looks: 0 is not a whole number of at least 1"),
        (lambda: plan_looks(0.99, looks=1000), "looks: 1000 are too many"),
        (
            lambda: plan_looks(0.9973, cases=[100, 851]),
            "cases: 851 cases do not prove the requirement, even without a failure. Give at least 852 "
            "for the last look",
        ),
        (lambda: true_risk([100, 100], 0.99), "cases: [100, 100] do not increase"),
        (lambda: plan_looks(0.99, looks=2).judge(3, 0), "look: 3 is not one of the 2 declared looks"),
    ],
)
def test_bad_input_is_rejected_in_one_sentence(call, text):
    with pytest.raises(ValueError) as error:
        call()
    assert text in str(error.value)
