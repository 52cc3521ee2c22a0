"""Evidence bundles at the edge: made against a fresh checkpoint, and as one page that needs nothing beside it."""

from api.evidence.bundle import bundle
from api.evidence.page import document_of, page_of

__all__ = ["bundle", "document_of", "page_of"]
