"""Sentences about time whose truth is known, or that have none, to try the checker on."""

from __future__ import annotations

TRUE = [
    "If Ada left before Bo and Cy did not leave as early as Bo, then Ada left before Cy.",
    "Ada set out later than Cy if Ada did not set out as early as Bo and Bo set out later than Cy.",
    "When the song lasted less long than the speech and the film lasted longer than the speech, "
    "the film lasted longer than the song.",
    "In the life of a frog, the tadpole comes after the egg.",
    "Within one calendar year, Halloween is over when Christmas Eve comes.",
    "When an omelette is made, the egg is cracked before the omelette is eaten.",
    "A sneeze lasts less long than a night's sleep.",
    "Anything that takes longer than running a marathon takes longer than ringing a doorbell.",
    "Five days after Thursday comes Tuesday.",
    "If it is two o'clock now, then three hours earlier it was eleven o'clock.",
    "Counting back one season from spring leads to winter.",
    "If Ada begins at two o'clock and without a break reads for three hours and rows for one "
    "hour, then Ada stops before seven o'clock.",
]
FALSE = [
    "If Ada left before Bo and Cy did not leave as early as Bo, then Ada left after Cy.",
    "When the song lasted less long than the speech and the film lasted longer than the speech, "
    "the film lasted less long than the song.",
    "In the life of a frog, the tadpole comes before the egg.",
    "When an omelette is made, the egg is cracked later than the omelette is eaten.",
    "A sneeze goes on for a longer time than a century.",
    "Anything that takes longer than running a marathon takes less long than ringing a doorbell.",
    "Five days after Thursday comes Wednesday.",
    "Two months before January comes March.",
    "If Ada begins at two o'clock and without a break reads for three hours, then Ada stops after "
    "five o'clock.",
    "Ada began before five o'clock if Ada reads for three hours without a break and is done at "
    "nine o'clock.",
]
OPEN = [
    "If Ada left before Bo and Ada left before Cy, then Bo left before Cy.",
    "If the song lasted longer than the speech and the speech lasted longer than the song, then "
    "the song lasted longer than the speech.",
    "A haircut lasts longer than a school lesson.",
    "If Ada begins at ten o'clock and without a break reads for three hours, then Ada stops "
    "before eleven o'clock.",
]
UNREADABLE = [
    "If Ada left before Bo and Bo woke up before Cy, then Ada left before Cy.",
    "In the life of a frog, the tadpole comes after the acorn.",
    "Two day after Monday comes Wednesday.",
    "One days after Monday comes Tuesday.",
    "Two days after Monday comes March.",
    "If Ada begins at two o'clock and without a break reads for three hours, then Bo stops after "
    "four o'clock.",
]
