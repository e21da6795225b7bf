import { type Load, load } from './load.ts'
import type { Effort, Figure, Target } from './row.ts'
import { summarise } from './statistics.ts'

/** Calls that were measured at full load. */
export interface Reached {
  what: string
  /** Answers a second of each round. */
  rates: number[]
}

/**
 * Measures the time within which 99 of 100 answers come, at the rate of `subject`. A machine that does not
 * reach twice that rate is measured at half of the rate that it reaches. At a higher rate, the result would
 * be the length of a queue.
 *
 * @param subject the load; `perSecond` is the rate
 * @param target milliseconds
 */
export async function waitingTime(
  subject: Load & { perSecond: number },
  { what, rates }: Reached,
  target: Omit<Target, 'better'>,
  { rounds }: Pick<Effort, 'rounds'>,
): Promise<Figure> {
  const perSecond = Math.min(subject.perSecond, Math.round(summarise(rates).median / 20) * 10)
  const values: number[] = []
  for (let round = 0; round < rounds; round++) values.push((await load({ ...subject, perSecond })).p99Ms)
  return {
    what: `the same at ${perSecond.toLocaleString('en-GB')}/s, 99 of 100: ${what}`,
    unit: 'ms',
    values,
    target: { better: 'lower', ...target },
    reference: null,
    note: `To the last byte, at ${subject.perSecond.toLocaleString('en-GB')}/s, or at half of what is reached where that is less.`,
  }
}
