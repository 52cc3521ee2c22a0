"""The doors of `/v1`: one module a theme, writes and reads apart; `doors` mounts them, `edge` surrounds them."""
