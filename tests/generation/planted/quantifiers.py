"""Sentences about quantifiers whose truth is known, or that have none, to try the checker on."""

from __future__ import annotations

TRUE = [
    "If exactly three of the nine eggs broke, then fewer than half of them broke.",
    "If three of the nine eggs broke on Monday, two more broke on Tuesday and no others broke, "
    "then exactly four of the eggs stayed whole.",
    "If Ada came, Bo did not stay away and Cy stayed away, then not all of them came.",
    "If Ada came and Bo did not come, then exactly one of them stayed away.",
    "If none of the nine lamps went out, then it follows that all of them stayed on.",
    "If not all of the five letters arrived and at least four of them arrived, then it is "
    "certain that exactly four of them arrived.",
    "If it is not true that at least five of the nine eggs broke, then it cannot be true that "
    "all of them broke.",
    "If it is not true that all of the nine eggs broke, then it is still possible that most of "
    "them broke.",
    "If some of the nine eggs broke, then it does not follow that at least six of them broke.",
    "More than half of the twelve months of the year have thirty-one days.",
    "Exactly half of the fifty-two cards of a pack without jokers are red.",
    "None of the four seasons last longer than a year.",
]
FALSE = [
    "If exactly three of the nine eggs broke, then most of them broke.",
    "If three of the nine eggs broke on Monday, two more broke on Tuesday and no others broke, "
    "then an even number of them broke.",
    "If Ada came and Bo did not come, then both of them came.",
    "If all of the nine lamps went out, then it is not certain that more than six of them went "
    "out.",
    "If at least three of the nine lamps went out, then it follows that all of them went out.",
    "If it is not true that most of the nine eggs broke, then it may still be true that all of "
    "them broke.",
    "If it is not true that all of the nine eggs broke, then it is impossible that at least four "
    "of them broke.",
    "All of the whole numbers from one to ten are even.",
    "At most three of the thirty-two pieces of a chess set are rooks.",
]
OPEN = [
    "If exactly nine of the nine eggs broke, then some of them broke.",
    "If exactly nine of the nine eggs broke, then an even number of them stayed whole.",
    "If exactly five of the nine eggs broke, then most of them broke.",
    "If not all of the nine eggs broke, then it follows that some of them broke.",
    "If all of the nine eggs broke and none of them broke, then it follows that some of them "
    "broke.",
    "Some of the seven days of the week contain the letter D.",
]
UNREADABLE = [
    "If exactly three of the nine eggs broke, then many of them broke.",
    "If exactly three of the nine eggs sank, then most of them sank.",
    "If ten of the nine eggs broke on Monday, one more broke on Tuesday and no others broke, "
    "then most of them broke.",
    "If three of the nine eggs broke on Monday and two more broke on Tuesday, then most of "
    "them broke.",
    "If Ada came, Bo came and Cy stayed away, then both of them came.",
    "Most of the nine planets are round.",
]
