"""Sentences about kinds whose truth is known, or that have none, to try the checker on."""

from __future__ import annotations

TRUE = [
    "If every mirvik is a velbid and only trigets are velbids, then a mirvik must be a triget.",
    "If every mirvik is a velbid and every triget is a velbid, then it does not follow that "
    "every mirvik is a triget.",
    "Ada is not a velbid if there is no mirvik that is a velbid and it is not true that Ada is "
    "no mirvik.",
    "If every mirvik is a velbid, no velbid is a triget and one of the trigets is Ada, then "
    "Ada cannot be a mirvik.",
    "All poodles are mammals.",
    "Only some mammals are poodles.",
    "No deer are birds.",
    "There are no cats that are poodles.",
    "Among the dogs there are no cats.",
    "African elephants are never birds.",
    "A waltz is always a dance.",
    "A mammal is not always an elephant.",
    "An elephant must be a mammal.",
    "Every owl is an animal.",
]
FALSE = [
    "If every mirvik is a velbid and only trigets are velbids, then a mirvik need not be a triget.",
    "If every mirvik is a velbid, then it follows that every velbid is a mirvik.",
    "If every mirvik is a velbid and Ada is a mirvik, then Ada is not a velbid.",
    "If every mirvik is a velbid and Ada is a mirvik, then Ada cannot be a velbid.",
    "Not all poodles are dogs.",
    "All dogs are poodles.",
    "Some cats are poodles.",
    "Among the cats there are poodles.",
    "Dogs must be poodles.",
    "Every owl is a fish.",
    "A dance is always a waltz.",
    "An elephant need not be a mammal.",
]
OPEN = [
    "If every mirvik is a velbid and Ada is a velbid, then Ada is a mirvik.",
    "If every mirvik is a velbid, no velbid is a mirvik and Ada is a mirvik, then Ada is a velbid.",
    "No toys are vehicles.",
    "Some hammers are weapons.",
]
UNREADABLE = [
    "If most mirviks are velbids and Ada is a mirvik, then Ada is a velbid.",
    "If every mirvik is a velbid and Ada is a mirvik, then Bo is a velbid.",
    "All unicorns are mammals.",
    "All deers are mammals.",
    "All poodle are dogs.",
    "An poodle is always a dog.",
]
