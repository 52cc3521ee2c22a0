"""All pages, put on an application."""

from fastapi import FastAPI

from api.pages import look, problem_pages, settle_page, site, slip_page
from api.wiring import House


def mount(app: FastAPI, house: House) -> None:
    """Put every page and what it needs on an application."""
    site.mount_static(app)
    for module in (look, settle_page, problem_pages, slip_page):
        module.mount(app, house)
