"""The command line by subprocess: the shape of what each command prints, and its exit status."""
