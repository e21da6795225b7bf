import { reportAd } from '@ondine/contract/playback'
import type { Context } from '../../../context.ts'
import type { On } from '../../../http/operations.ts'
import { reportEvent } from './ads.service.ts'
import { progressEvent } from './timed-trackers.ts'

/** Registers the call that reports events of advertisements. */
export function registerAds(on: On, context: Context): void {
  on(
    reportAd,
    async ({ report, event, at }) => {
      if (event !== 'progress') await reportEvent(context, report, event)
      else if (at !== undefined) await reportEvent(context, report, progressEvent(at))
      return null
    },
    { keepsWatching: true },
  )
}
