import { reportAd } from '@ondine/contract/playback'
import type { Context } from '../../../context.ts'
import type { On } from '../../../http/operations.ts'
import { reportEvent } from './ads.service.ts'

/** Registers the call that reports events of advertisements. */
export function registerAds(on: On, context: Context): void {
  on(
    reportAd,
    async ({ report, event }) => {
      await reportEvent(context, report, event)
      return null
    },
    { keepsWatching: true },
  )
}
