"""Sentences about causes whose truth is known, or that have none, to try the checker on."""

from __future__ import annotations

TRUE = [
    "Rain makes a street wetter.",
    "A garden path is made less slippery by scattered sand.",
    "By what it does to a balloon, a slow leak makes stuffing it into a box easier.",
    "A downpour changes a half-full bucket and so makes lifting it harder.",
    "Frost can lead to ice on the steps.",
    "A broken leg may come of frost.",
    "Against rain, an umbrella shields a walker.",
    "A walking stick is no protection against rain for a walker.",
    "If the red fan runs exactly when the blue lamp is off, then the red fan stands still while "
    "the blue lamp is on.",
    "In a machine in which the red fan runs exactly when the blue lamp is not off and the grey "
    "bell rings exactly when the red fan runs, whenever the blue lamp is on, the grey bell rings.",
    "If gorps harm tolms and zarks are harmed by tolms, then gorps indirectly help zarks.",
    "Ada indirectly weakens Bo if Cy is strengthened by Ada and Cy does not strengthen but "
    "weakens Bo.",
    "In a machine, the red belt drives the blue cog if the red belt drives the grey disc and the "
    "blue cog does not drive but is driven by the grey disc.",
]
FALSE = [
    "Rain makes a street drier.",
    "A garden path is made more slippery by scattered sand.",
    "By what it does to a balloon, a slow leak makes stuffing it into a box harder.",
    "Frost can result from ice on the steps.",
    "A broken leg may bring about frost.",
    "Against rain, a walking stick shields a walker.",
    "An umbrella does not protect a walker from rain.",
    "If the red fan runs exactly when the blue lamp is off, then the red fan runs while the blue "
    "lamp is on.",
    "In a machine in which the red fan runs exactly when the blue lamp is not off and the grey "
    "bell rings exactly when the red fan runs, the grey bell rings while the blue lamp is off.",
    "If gorps harm tolms and zarks are harmed by tolms, then gorps indirectly harm zarks.",
    "Ada indirectly strengthens Bo if Cy is strengthened by Ada and Cy does not strengthen but "
    "weakens Bo.",
    "In a machine, the red belt is driven by the blue cog if the red belt drives the grey disc and "
    "the blue cog does not drive but is driven by the grey disc.",
]
OPEN = [
    "Rain makes a knife sharper.",
    "Frost can lead to a tsunami.",
    "A helmet protects a walker from rain.",
    "If the red fan runs exactly when the blue lamp is off, then the red fan runs while the grey "
    "lamp is on.",
    "If the red fan runs exactly when the blue lamp is off and the red fan runs exactly when the "
    "blue lamp is on, then the red fan runs while the blue lamp is on.",
    "If gorps help tolms and zarks help tolms, then gorps indirectly help zarks.",
    "If gorps help tolms and tolms help zarks, then zarks indirectly help gorps.",
    "If gorps help tolms, gorps harm norbs, norbs help zarks and tolms help zarks, then gorps "
    "indirectly help zarks.",
    "If gorps help tolms, tolms help gorps and tolms help zarks, then gorps indirectly help zarks.",
    "In a machine, if the red belt drives the grey disc and the blue cog drives the grey disc, "
    "then the red belt drives the blue cog.",
]
UNREADABLE = [
    "Rain makes a street sharper.",
    "Frost can frighten ice on the steps.",
    "An umbrella protects a walker from sneezing.",
    "If the red fan rings exactly when the blue lamp is off, then the red fan runs while the blue "
    "lamp is on.",
    "If gorps help tolms and tolms support zarks, then gorps indirectly help zarks.",
    "If gorps helps tolms and tolms help zarks, then gorps indirectly help zarks.",
    "If gorps help tolms and tolms help Ada, then gorps indirectly help Ada.",
    "If gorps help tolms and tolms help zarks, then gorps help zarks.",
    "In a machine, if the red belt drives the grey disc and the grey disc powers the blue cog, "
    "then the red belt drives the blue cog.",
]
