"""Campaigns (Monte Carlo analyses): many cases with random inputs. Each case can be reproduced alone."""

from .confirmation import InputChange as InputChange
from .confirmation import confirm as confirm
from .confirmation import faults_of as faults_of
from .confirmation import notes_of as notes_of
from .declared import Campaign as Campaign
from .declared import Correlation as Correlation
from .declared import Loops as Loops
from .dispersion import Dispersion as Dispersion
from .dispersion import Importance as Importance
from .draws import Draws as Draws
from .plan import Plan as Plan
from .plan import draw as draw
from .plan import prepare as prepare
from .rare.result import RareResult as RareResult
from .rare.run import rare_event as rare_event
from .reading import OpenCampaign as OpenCampaign
from .reading import open_campaign as open_campaign
from .reading import read_study as read_study
from .result import CampaignResult as CampaignResult
from .run import campaign as campaign
