"""The live feed of jackpot meters: one reader in the process, any number of displays.

`source` listens to the database and reads the meters once a change; `hub` keeps the newest picture and what led to it;
`stream` writes to one display at that display's own speed; `frames` is the wire format.
"""
