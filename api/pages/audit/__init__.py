"""The pages of those who look into things: auditors, surveillance, regulators.

    search_page   events by table, round, box, player, person, amount, hand, kind, exception and time
    round_page    a round step by step, its payments with their clauses, what was said of it since; its evidence
    table_page    a table as it stood at any event or moment, with a slider over its session
    compare_page  what is known at one moment and was not at another, with who and why
    events_page   the log itself: envelope, fields, the bytes that are hashed, chain and proof
    verify_page   the whole log held against its chain and its seals, in a thread of its own
    seals_page    checkpoints and proofs, to take away
    sample_page   documents drawn for internal audit
    people_page   who did what

What pages here ask of the log they ask by the reads of the doors, and whoever reads one is noted as they are.
"""
