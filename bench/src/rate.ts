/**
 * Calls `work` for `milliseconds` and returns the calls a second. Keeps the results of `work` alive, so that the
 * compiler cannot drop the work.
 */
export function ratePerSecond(work: (turn: number) => unknown, milliseconds: number): number {
  let turns = 0
  let batch = 1
  let kept: unknown
  const startedAt = performance.now()
  let passed = 0
  while (passed < milliseconds) {
    for (let end = turns + batch; turns < end; turns++) kept = work(turns)
    passed = performance.now() - startedAt
    // Calls short work in batches, because reading the clock would cost as much as the work.
    if (passed < milliseconds / 20) batch *= 2
  }
  if (kept === undefined) throw new Error('The measured work returns nothing.')
  return (turns / passed) * 1000
}

/** Measures both rates in alternating rounds, so that other work on the machine affects both equally. */
export function ratesInTurns(
  subject: (turn: number) => unknown,
  reference: (turn: number) => unknown,
  { rounds, roundMs }: { rounds: number; roundMs: number },
): { subject: number[]; reference: number[] } {
  // Warms up, because the first calls are slow until they are compiled.
  ratePerSecond(subject, roundMs / 2)
  ratePerSecond(reference, roundMs / 2)
  const rates = { subject: [] as number[], reference: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    rates.subject.push(ratePerSecond(subject, roundMs))
    rates.reference.push(ratePerSecond(reference, roundMs))
  }
  return rates
}
