import type { HomeType } from '@ondine/contract/configuration-values'
import type { ChannelItem, ChannelMemory } from '../channels/channel-memory.ts'
import { VISITOR, type Viewer } from '../entitlements/entitlements.service.ts'
import type { Reader } from './catalogue.presenter.ts'

/** The home page that a viewer gets (V3-32): a child's profile its own, whatever its client asks for. */
export function homeFor({ kid }: Viewer, wanted: HomeType): HomeType {
  return kid ? 'children' : wanted
}

/**
 * The channels that a child can watch now. A channel is left out while what is on is above the child's level (decision 27); one
 * without a guide stays, because its own level is all that is known of it.
 */
export async function channelsForChild(
  channels: ChannelMemory,
  { viewer, language, now }: Reader,
): Promise<readonly ChannelItem[]> {
  const [shown, everything] = await Promise.all([
    channels.items(viewer, language, now),
    channels.items(VISITOR, language, now),
  ])
  const onAir = new Set(
    everything.flatMap(({ payload, programme }) => (programme === null ? [] : [payload.idChannel])),
  )
  return shown.filter(({ payload, programme }) => programme !== null || !onAir.has(payload.idChannel))
}
