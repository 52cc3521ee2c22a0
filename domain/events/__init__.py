"""Every event the log can hold, one frozen struct each, grouped by stream and moment.

An event is plain data: what was recorded, never how it came about. `base` has the struct they share and the
envelope around it, `registry` the closed list of topics. Amounts are whole minor units of the stream's currency;
fields ending in `_u` are millionths of a minor unit; cards are text such as "As Kd".
"""
