import { epg, epgEvent, epgGrid, listChannels } from '@ondine/contract/channels'
import type { Context } from '../../../context.ts'
import type { On } from '../../../http/operations.ts'
import { findEvent } from './event.service.ts'

export function registerChannels(on: On, { viewers, catalogue, television }: Context): void {
  on(listChannels, async (_input, call) => {
    const viewer = await viewers.of(call, call.now)
    const kept = await catalogue.favouritesOf(viewer.profileId)
    return await television.channels.answer(viewer, call.language, kept)
  })

  for (const [operation, extent] of [
    [epg, 'full'],
    [epgGrid, 'grid'],
  ] as const)
    on(operation, async (input, call) => {
      const viewer = await viewers.of(call, call.now)
      return await television.guide.answer(extent, viewer, call.language, input, call.now)
    })

  on(epgEvent, async ({ idChannel, idEvent }, call) => {
    const viewer = await viewers.of(call, call.now)
    return await findEvent(call.db, viewer, call.language, call.now, {
      id: idEvent,
      channelId: idChannel === 0 ? undefined : idChannel,
    })
  })
}
