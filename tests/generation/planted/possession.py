"""Sentences about possession whose truth is known, or that have none, to try the checker on."""

from __future__ import annotations

LENT = "If the drum belonged to Ada at first and Ada then lent it to Bo, then "
WEEK = (
    "If the drum belonged to Ada at first and within one week Cy stole it from Bo on Friday and Bo "
    "bought it from Ada on Monday, then "
)
COINS = "If Ada had nine coins, Bo had four coins and Ada gave Bo three coins, then "
SWAPS = (
    "If Ada had the drum, Bo had the kite, Cy had the pocket knife, Ada swapped with Bo and Bo "
    "then swapped with Cy, then "
)
TRUE = [
    "Bakers sell bread to customers.",
    "Customers hand over money for bread to bakers.",
    "Someone who borrows an umbrella ought to give it back.",
    "A woman who is given a drum does not have to give it back.",
    "A man who lends out a drum is without it afterwards.",
    f"{LENT}the drum belonged to Ada in the end.",
    f"{LENT}Bo had the drum that belonged to Ada in the end.",
    "If the drum belonged to Ada at first and Ada was then robbed of it by Bo, then the drum was "
    "with Bo in the end.",
    f"{WEEK}the drum belonged to Bo at the end of that week.",
    f"{WEEK}Bo owned the drum that was with Cy at the end of that week.",
    f"{COINS}Bo had more coins than Ada in the end.",
    "In the end Ada had fewer coins than Bo if Ada had nine coins, Bo had four coins and Bo got "
    "not eleven but three coins from Ada.",
    f"{SWAPS}Cy had the drum in the end.",
    "In the end Ada had the kite if Ada had the drum, Bo had the kite and Ada swapped with Bo.",
]
FALSE = [
    "Customers sell bread to bakers.",
    "Customers get money for bread from bakers.",
    "Someone who borrows an umbrella is the owner of it afterwards.",
    "A woman who steals a drum does not have to give it back.",
    "A man who sells a drum pays for it.",
    f"{LENT}the drum belonged to Bo in the end.",
    f"{LENT}Ada had the drum that belonged to Bo in the end.",
    "If the drum belonged to Ada at first and Bo was then given it by Ada, then the drum belonged "
    "to Ada in the end.",
    f"{WEEK}the drum belonged to Ada at the end of that week.",
    f"{WEEK}Cy owned the drum that was with Bo at the end of that week.",
    f"{COINS}Ada had more coins than Bo in the end.",
    "In the end Bo had more coins than Ada if Ada had nine coins, Bo had five coins and Bo got "
    "two coins from Ada.",
    f"{SWAPS}Cy had the kite in the end.",
]
OPEN = [
    "Bakers sell sausages to customers.",
    "A man who steals a drum pays for it.",
    "A man who lends out a drum ought to give it back.",
    "A man who lends out a drum is the owner of it afterwards.",
    "A woman who gets back a drum does not have to give it back.",
    "If the drum belonged to Ada at first, Bo then stole it from Ada and Bo then sold it to Cy, "
    "then the drum belonged to Cy in the end.",
    "If the drum belonged to Ada at first, Ada then lent it to Bo and Ada then lent it to Cy, "
    "then the drum was with Cy in the end.",
    "If the drum belonged to Ada at first and Ada then did not give but gave it to Bo, then the "
    "drum belonged to Bo in the end.",
    "If Ada had two coins, Bo had four coins and Ada gave Bo three coins, then Bo had more coins "
    "than Ada in the end.",
    "If Ada had nine coins, Bo had four coins and Ada gave Cy three coins, then Bo had more coins "
    "than Ada in the end.",
    "If Ada had the drum, Bo had the kite and Ada swapped with Cy, then Ada had the kite in the "
    "end.",
]
UNREADABLE = [
    f"{LENT}the drum belonged to Ada in the end, in the end.",
    "Bakers sell unicorns to customers.",
    "Someone who paints a drum ought to give it back.",
    f"{LENT}the kite belonged to Ada in the end.",
    f"{LENT}the drum belonged to Ada.",
    f"{COINS}Ada had more stamps than Bo in the end.",
    "If Ada had the drum, Bo had the kite and Ada then swapped with Bo, then Ada had the kite in "
    "the end.",
]
