"""Schemas, dyads and problems of every shape that a model may be asked about."""

from __future__ import annotations

from collections.abc import Sequence

from horsesense.schema import Problem, modes, problems
from horsesense.schema.notation import parse_grid

SUBSTITUTIONS = (
    "a punt <can, cannot> slip under a {lofty, sunken} footbridge",
    "{two, seven} herons are <fewer, more> than five",
    "a kettle <whistles, rattles> when it is {boiling, empty}",
    "“{Hush, Hurrah}!” is what you <whisper, shout>, whispered the usher",
    # By answer, a token of some vocabularies stands across the end of the blank.
    "the children kicked a <foot, snow>ball {over the goal, into the fire}",
)
# Unequal lengths, possessives, rare names, and blanks that open a sentence or all but end one.
WINOGRADS = (
    "[The wheelbarrow] tipped [the flowerpot] over because "
    "<it = the wheelbarrow, the flowerpot> was {clumsy, unsteady}.",
    "[The ferry] towed [the old fishing trawler] although "
    "<it = the ferry, the old fishing trawler> was {small, heavy}.",
    "[Szymborska] lent [Mbeki] a quilt because <her's = Szymborska, Mbeki> room was "
    "{warm, draughty}.",
    "[The otters] watched [the beekeepers] until <their = the otters, the beekeepers> "
    "{burrow, veil} was finished.",
    "<It = The lantern, The fog> was {bright, thick}, so nobody lost sight of the others.",
    "[The glazier] knew [the roofer] well. <He = the glazier, the roofer> had mended "
    "{the window, the gutter}.",
    "[The dam] holds back [the river], so nobody can {climb, swim across} "
    "<it = the dam, the river>.",
    "[Xochiquetzal] paid [Nguyen Van Minh] for a saddle, and {waited for, thanked} "
    "<her = Nguyen Van Minh, Xochiquetzal>.",
    "[Zoé] met [Jürgen Müller] in a café, where <they = Zoé, Jürgen Müller> "
    "{was a guest, kept a shy parrot}.",
    "[The crow] dropped [the walnut] since <it = the crow, the walnut> was {tired, slippery}!",
)
TRANSPOSITIONS = (
    "{badgers, earthworms} <do, do not> eat {earthworms, badgers}",
    "{Tampere, Nairobi} lies <north, south> of {Nairobi, Tampere}",
    "{a thimble, a cauldron} holds <less, more> soup than {a cauldron, a thimble} does",
    "when {rain, drought} comes, {drought, rain} is <over, overdue> at last",
)
DYADS = (
    "It is |true, false| that {badgers, earthworms} <do, do not> eat {earthworms, badgers}.",
    "That a punt <can, cannot> slip under a {lofty, sunken} footbridge is "
    "|plausible, implausible|.",
    "It |is, is not| the case that {ice, steam} is <colder, hotter> than tea.",
    "|Surely, Hardly ever| a {dry, sodden} log <burns, hisses> on the hearth.",
)
OTHERS = (
    "After the hail the gardener propped up <the sweet peas*, the wheelbarrow, the hailstones>.",
    "<Quicksand*, A trampoline, An accordion player> swallowed the surveyor's left boot.",
    "The potter asked the weaver whether <? she = the potter, the weaver> was early.",
    "<The oars of the skiff are broken.*, The oars of the skiff is broken.>",
    "<Nobody has ever seen that.*, Somebody has ever seen that.>",
    "! the heron , they said , stalks <a frog*, a haystack>",
    "The tram passed the cart because <it = the tram*, the cart> was fast.\n"
    "& The cart reached the sawmill because <it = the cart*, the sawmill> was moving.",
    # By key, an option is empty.
    "a diver can <talk, signal> {, below the surface}",
)
# Letters that not every vocabulary has; some take several tokens each.
FAR_LETTERS = (
    "[Åsa] met [Łucja] in Kraków, where <she = Åsa, Łucja> {was a guest, kept an œuvre}.",
    "{Tromsø, Ağrı} lies <north, south> of {Ağrı, Tromsø}",
    "“Où est <le cèpe*, l’œuf> ?”, asked the 木 carver.",
)
ALL = (*SUBSTITUTIONS, *WINOGRADS, *TRANSPOSITIONS, *DYADS, *OTHERS)
FEW = (*SUBSTITUTIONS[:1], *WINOGRADS[2:3], *TRANSPOSITIONS[:1], *OTHERS[3:4])
# Longer than the windows of the small models that have one.
LONG = (
    "[The lighthouse keeper] waited on the pier all night with a lamp in each hand for "
    "[the fishermen], and when the wind rose at last <he = the lighthouse keeper, the fishermen> "
    "{was still waiting, came home} in spite of the sleet",
    *FEW,
)


def problems_of(texts: Sequence[str]) -> tuple[Problem, ...]:
    """The problems of each grid, in every mode that it has."""
    grids = [parse_grid(text) for text in texts]
    return tuple(one for grid in grids for mode in modes(grid) for one in problems(grid, mode))
