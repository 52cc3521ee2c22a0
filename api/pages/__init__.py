"""Pages for people: rendered on the server, readable without script, live by server-sent events where that helps."""
