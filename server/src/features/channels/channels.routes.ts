import { epg, listChannels } from '@ondine/contract/channels'
import type { Context } from '../../context.ts'
import type { On } from '../../http/operations.ts'
import * as channels from './channels.service.ts'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

/** Answers to visitors are all alike, so they may be shared for a moment. */
const SHARED = { sharedAmongVisitors: true }

export function registerChannels(on: On, { viewers, catalogue }: Context): void {
  on(
    listChannels,
    async (_input, call) => await catalogue.channels.answer(await viewers.of(call, call.now), call.language),
  )

  on(
    epg,
    async ({ start, offset, hours, channelIds }, call) => {
      const from = (start === undefined ? call.now : start * 1000) + offset * DAY_MS
      const viewer = await viewers.of(call, call.now)
      const guide = await channels.listProgrammes(call.db, viewer, call.language, {
        from,
        to: from + hours * HOUR_MS,
        channelIds,
      })
      return Object.fromEntries([...guide].map(([id, programmes]) => [`chan_${id}` as const, programmes]))
    },
    SHARED,
  )
}
