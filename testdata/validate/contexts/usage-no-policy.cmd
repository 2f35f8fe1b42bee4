context s0
