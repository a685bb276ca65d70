"""Stories: what is drawn for a sentence, and how it is told, in any order, from either side."""
