"""Stories: random content for sentences, told in any order and from either side."""
