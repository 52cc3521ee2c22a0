"""What Prometheus may ask of one process. Labels are doors and statuses, never tables, players or rounds."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

MEDIA_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The figures of one process, in a registry of its own: two houses in one test do not meet."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "pitclerk_http_requests_total", "Requests answered", ("door", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "pitclerk_http_seconds", "Time to the whole answer", ("door",), buckets=_SECONDS, registry=self.registry
        )
        self.replays = Counter(
            "pitclerk_idempotent_replays_total", "Answers given again for a repeated key", registry=self.registry
        )
        self.feed_clients = Gauge("pitclerk_feed_clients", "Displays on the live feed", registry=self.registry)
        self.feed_frames = Counter("pitclerk_feed_frames_total", "Frames made by the feed", registry=self.registry)
        self.feed_skips = Counter(
            "pitclerk_feed_skips_total", "Times a slow display was taken to the newest figures", registry=self.registry
        )
        self.feed_position = Gauge(
            "pitclerk_feed_position", "Position the feed's figures are true at", registry=self.registry
        )
        self.feed_stale = Gauge("pitclerk_feed_stale", "1 while the feed cannot read", registry=self.registry)
        self.log_head = Gauge("pitclerk_log_head", "Position of the last event", registry=self.registry)
        self.lag_events = Gauge(
            "pitclerk_projection_lag_events", "Events a projection is behind", ("projection",), registry=self.registry
        )

    def render(self) -> bytes:
        """The text Prometheus reads."""
        return generate_latest(self.registry)
