"""What can be done, one module a theme: each act is a function of a `Work` and a command, and returns a `Reply`.

An act reads streams through the work, refuses or records events, and never touches storage: `application.handle`
saves what was recorded in one transaction together with the answer, or nothing at all.

| module | acts |
|---|---|
| `tables` | open_table, post_limits, close_table, buy_in, drop_tip |
| `rounds` | play_record, open_round, deal, act, dealer, void_round |
| `slips` | request_fill, request_credit, sign (prepare, carry, count, receive), void |
| `prints` | print_slip, print_hit: every print of a slip is a fact |
| `progressives` | propose |
| `progressive_changes` | stop, start, impose_limit, change_terms, adjust, transfer, retire |
| `hits` | show, step, pay, reject |
| `rulesets` | publish |
| `corrections` | propose, reannounce, propose_ruling |
| `days` | open_day, open_shift, close_day, audit_day |
| `colours`, `tray` | issue, cash_in; count_tray |
| `cage` | open_window, sell, redeem, hand_pay, close_window, offer, take_over |
| `cage_transfers`, `cage_slips` | send, receive; fills and credits at windows |
| `money_rules` | propose: windows, allowed transfers, thresholds |
| `inbox` | acknowledge an exception |
| `counts` | mount, remove, receive, count: drop boxes, counted blind |
| `adjustments` | correct_count, adjust_figure: what accounting puts right, by two people |
| `late` | what happened before the open session, recorded where it belongs |
| `program` | start: which program writes the log |
| `approvals` | decide: a second person approves or refuses what waits for it |
"""
