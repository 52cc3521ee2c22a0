"""The repository itself: what must hold of its files, its commands, its documents and the shape of its events."""
