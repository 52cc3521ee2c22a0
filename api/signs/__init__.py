"""LED signs: the live feed told on as short ASCII frames over UDP or a serial line.

`frame` is the format, `board` what a sign shows and when it is told so, `follow` reads the feed, `outlets` sends.
"""
