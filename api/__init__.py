"""The outer ring: HTTP, the live feed, pages and the command line around the domain and its projections.

`wiring` builds a running house from settings, `app` the HTTP side over it. Nothing else in the project imports `api`.
"""
