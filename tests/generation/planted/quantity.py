"""Sentences about quantity whose truth is known, or that have none, to try the checker on."""

from __future__ import annotations

TRUE = [
    "Three geese are fewer than six swans.",
    "In a group of one hundred and one cows and one hundred goats, the cows are in the majority.",
    "There are fewer legs on a bee than legs on a spider.",
    "The number of days in a week is smaller than the number of months in a year.",
    "A ribbon of two metres is longer than a ribbon of one hundred and ninety centimetres.",
    "A pause of eighty-six thousand seconds is shorter than one of twenty-four hours.",
    "Two bags of four plums each and two tins of three plums each hold fewer plums than three "
    "boxes of five plums each.",
    "Someone who buys three bags of five plums each gets more than fourteen plums.",
    "If Ada has nine plums and loses two of them, then Ada ends up with more than six plums.",
    "If Ada has nine plums, loses two of them and buys three more, then Ada has fewer than eleven "
    "plums in the end.",
    "If Ada has five more plums than Bo and Bo has two fewer plums than Cy, then Ada has more "
    "plums than Cy.",
]
FALSE = [
    "Six geese are fewer than three swans.",
    "In a group of one hundred and one cows and one hundred goats, the cows are in the minority.",
    "There are more legs on a bee than legs on a spider.",
    "There are fewer legs on a bee than faces of a cube.",
    "A ribbon of two metres is shorter than a ribbon of one hundred and ninety centimetres.",
    "A sum of two pounds is higher than a sum of two hundred pence.",
    "Two bags of four plums each hold more plums than three boxes of five plums each.",
    "Someone who buys three bags of five plums each gets more than fifteen plums.",
    "If Ada has nine plums and loses two of them, then Ada ends up with more than seven plums.",
    "If Ada has five more plums than Bo and Bo has six fewer plums than Cy, then Ada has more "
    "plums than Cy.",
]
OPEN = [
    "If Ada has nine plums and loses ten of them, then Ada ends up with fewer than six plums.",
    "If Ada has five more plums than Bo and Di has two fewer plums than Cy, then Ada has more "
    "plums than Cy.",
    "If Ada has two more plums than Bo and Ada has three more plums than Bo, then Ada has more "
    "plums than Bo.",
]
UNREADABLE = [
    "One geese are fewer than six swans.",
    "In a group of three geese and six swans, the ducks are in the minority.",
    "A ribbon of two metres is shorter than a ribbon of four litres.",
    "A ribbon of two metres is heavier than a ribbon of four metres.",
    "Two bags of four plums each hold fewer plums than three boxes of five pears each.",
    "If Ada has nine plums and loses two of them, then Bo ends up with more than six plums.",
    "If Ada has five more plums than Bo and Bo has two fewer pears than Cy, then Ada has more "
    "plums than Cy.",
]
