import { type Load, load } from './load.ts'
import type { Effort, Figure, Target } from './row.ts'
import { summarise } from './statistics.ts'

/** The rates of the same calls at full load. */
export interface Reached {
  what: string
  /** Answers per second in each round. */
  rates: number[]
}

/**
 * Measures the time within which 99 of 100 answers arrive, at the request rate of `subject`. If a machine cannot
 * reach twice this rate, the request rate is half of the rate that it reaches. At a higher rate, the result would
 * mainly measure a queue.
 *
 * @param subject the load; `perSecond` is the request rate
 * @param target required and desired latency, in milliseconds
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
