"""The pages' languages: which one a reader gets, its words (`catalogue`, from gettext's .po files in `locales`), and
its numbers, money and dates (`numbers`).

A request is answered in one language: the frame of the pages sets it (`languages.speaking`) and everything below asks
for the current one. English is the language of the source; the API, the log and the command line speak it only.
"""
