import type { QueryClient } from '@tanstack/react-query'
import { dayQuery } from '../../content/line-up/queries.ts'
import { hoursOfDay, startOfDay } from '../../ground/days/programme-time.ts'
import type { AroundNow } from './around-now.ts'

/**
 * Loads the day of a channel without a current or next programme, because its page lists the day then. Loads nothing for
 * any other channel.
 */
export async function loadSilentDay(
  queries: QueryClient,
  { current, next }: AroundNow,
  { id, now, timeZone }: { id: number; now: number; timeZone: string },
): Promise<void> {
  if (current !== undefined || next !== undefined) return
  const midnight = startOfDay(now, timeZone)
  await queries.prefetchQuery(dayQuery(midnight, hoursOfDay(midnight, timeZone), id))
}
