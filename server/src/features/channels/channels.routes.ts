import { epg, epgEvent, epgGrid, listChannels } from '@ondine/contract/channels'
import type { InputOf } from '@ondine/contract/operation'
import type { Context } from '../../context.ts'
import type { On } from '../../http/operations.ts'
import type { GuideWindow } from './channels.service.ts'
import { findEvent } from './event.service.ts'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

export function registerChannels(on: On, { viewers, catalogue }: Context): void {
  on(listChannels, async (_input, call) => {
    const viewer = await viewers.of(call, call.now)
    const { channelIds } = await catalogue.favouritesOf(viewer.profileId)
    return await catalogue.channels.answer(viewer, call.language, channelIds)
  })

  for (const [operation, extent] of [
    [epg, 'full'],
    [epgGrid, 'grid'],
  ] as const)
    on(operation, async (input, call) => {
      const viewer = await viewers.of(call, call.now)
      return await catalogue.guide.answer(extent, viewer, call.language, windowOf(input, call.now))
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
): GuideWindow {
  const from = (start === undefined ? now : start * 1000) + offset * DAY_MS
  return { from, to: from + hours * HOUR_MS, channelIds, filters }
}
