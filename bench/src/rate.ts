/**
 * Calls `work` repeatedly for `milliseconds`. Uses the results of `work`, so that the compiler cannot remove the
 * calls. @returns calls per second
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
    // Calls fast work in batches, because reading the clock takes as long as a call.
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
  // Warm-up: the first calls are slow, because their code is not compiled yet.
  ratePerSecond(subject, roundMs / 2)
  ratePerSecond(reference, roundMs / 2)
  const rates = { subject: [] as number[], reference: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    rates.subject.push(ratePerSecond(subject, roundMs))
    rates.reference.push(ratePerSecond(reference, roundMs))
  }
  return rates
}
