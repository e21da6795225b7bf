import type { Figure, Target } from './row.ts'
import { percentile } from './statistics.ts'

/**
 * Returns two lines of the table: the times within which 50 and 95 of 100 measured actions finish.
 *
 * @param peer name of the reference
 */
export function percentileFigures(
  what: string,
  { subject, reference }: { subject: number[]; reference: number[] },
  [half, most]: [half: Omit<Target, 'better'>, most: Omit<Target, 'better'>],
  note?: string,
  peer = 'a bare Shaka page',
): Figure[] {
  return [[50, half] as const, [95, most] as const].map(([percent, target]) => ({
    what: `${what}, p${percent}`,
    unit: 'ms',
    values: [percentile(subject, percent)],
    target: { better: 'lower', ...target },
    reference: { what: peer, values: [percentile(reference, percent)] },
    ...(note === undefined ? {} : { note }),
  }))
}
