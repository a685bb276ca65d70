"""From problems as published files give them to schemas: twins, key phrases, candidates."""
