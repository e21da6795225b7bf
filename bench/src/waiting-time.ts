import { type Load, load } from './load.ts'
import type { Effort, Figure, Target } from './row.ts'
import { summarise } from './statistics.ts'

/** Required and measured answers a second. */
export interface Reached {
  what: string
  /** Answers a second of each round. */
  rates: number[]
  /** Answers a second that must be reached. */
  mustReach: number
}

/**
 * Measures the time within which 99 of 100 answers come, at half of the required rate. If the machine does not reach
 * that rate, at half of the rate that it reaches: above that, it would measure a queue.
 *
 * @param subject the load, without its rate
 * @param target milliseconds
 */
export async function waitingTime(
  subject: Omit<Load, 'perSecond'>,
  { what, rates, mustReach }: Reached,
  target: Omit<Target, 'better'>,
  { rounds }: Pick<Effort, 'rounds'>,
): Promise<Figure> {
  const perSecond = Math.round(Math.min(mustReach, summarise(rates).median) / 20) * 10
  const values: number[] = []
  for (let round = 0; round < rounds; round++) values.push((await load({ ...subject, perSecond })).p99Ms)
  return {
    what: `the same at ${perSecond.toLocaleString('en-GB')}/s, 99 of 100: ${what}`,
    unit: 'ms',
    values,
    target: { better: 'lower', ...target },
    reference: null,
    note: `To the last byte, at half of the ${mustReach.toLocaleString('en-GB')}/s that must be reached, or of what is reached where that is less.`,
  }
}
