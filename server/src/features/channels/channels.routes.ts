import { epg, epgEvent, epgGrid, listChannels } from '@ondine/contract/channels'
import type { InputOf } from '@ondine/contract/operation'
import type { Context } from '../../context.ts'
import type { On } from '../../http/operations.ts'
import * as channels from './channels.service.ts'
import { findEvent } from './event.service.ts'

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
    async (input, call) => {
      const viewer = await viewers.of(call, call.now)
      const guide = await channels.listProgrammes(call.db, viewer, call.language, windowOf(input, call.now))
      return Object.fromEntries([...guide].map(([id, programmes]) => [`chan_${id}` as const, programmes]))
    },
    SHARED,
  )

  on(epgGrid, async (input, call) => {
    const viewer = await viewers.of(call, call.now)
    return await catalogue.grid.answer(viewer, call.language, windowOf(input, call.now))
  })

  on(epgEvent, async ({ idChannel, idEvent }, call) => {
    const viewer = await viewers.of(call, call.now)
    return await findEvent(call.db, viewer, call.language, call.now, {
      id: idEvent,
      channelId: idChannel === 0 ? undefined : idChannel,
    })
  })
}

/** The window that a call asks for: from `start`, `offset` days later, over `hours` (V7-10). */
function windowOf(
  { start, offset, hours, channelIds, filters }: InputOf<typeof epg>,
  now: number,
): channels.GuideWindow {
  const from = (start === undefined ? now : start * 1000) + offset * DAY_MS
  return { from, to: from + hours * HOUR_MS, channelIds, filters }
}
