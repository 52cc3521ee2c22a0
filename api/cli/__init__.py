"""The command line `pitclerk`.

`main.run` is the entry; `app` joins the commands, which stand one theme a module. With `--json` a command prints one
JSON object on standard output and logs on standard error; people get tables and progress bars. Exit status: 0 good,
1 something wrong was found, 2 it could not be done (bad options, an unreadable file, an unknown ruleset, no server).
"""
