/** How often `work` can be done in a second, from calling it for `milliseconds`. What it returns is kept alive, not thrown away. */
export function ratePerSecond(work: (turn: number) => unknown, milliseconds: number): number {
  let turns = 0
  let batch = 1
  let kept: unknown
  const startedAt = performance.now()
  let passed = 0
  while (passed < milliseconds) {
    for (let end = turns + batch; turns < end; turns++) kept = work(turns)
    passed = performance.now() - startedAt
    // Looking at the clock costs as much as the work where that is short.
    if (passed < milliseconds / 20) batch *= 2
  }
  if (kept === undefined) throw new Error('The work that is measured returns nothing.')
  return (turns / passed) * 1000
}

/** Both rates, measured in turns, so that whatever else the machine does meets both alike. */
export function ratesInTurns(
  subject: (turn: number) => unknown,
  reference: (turn: number) => unknown,
  { rounds, roundMs }: { rounds: number; roundMs: number },
): { subject: number[]; reference: number[] } {
  // The first calls are slow: they are compiled.
  ratePerSecond(subject, roundMs / 2)
  ratePerSecond(reference, roundMs / 2)
  const rates = { subject: [] as number[], reference: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    rates.subject.push(ratePerSecond(subject, roundMs))
    rates.reference.push(ratePerSecond(reference, roundMs))
  }
  return rates
}
