"""What English asks for when a sentence is changed: proposals, for people to accept or reject."""
