import type { HomeType } from '@ondine/contract/configuration-values'
import { VISITOR, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import type { Reader } from './catalogue.presenter.ts'
import type { ChannelItem, ChannelsOnAir } from './channels-on-air.ts'

/**
 * Returns the type of home page that a viewer gets (V3-32). A child's profile always gets the children's home
 * page, regardless of the request.
 */
export function homeFor({ kid }: Viewer, wanted: HomeType): HomeType {
  return kid ? 'children' : wanted
}

/**
 * Returns the channels that a child can watch now. Skips channels whose current programme is above the child's
 * level (spec 27). For a channel without a guide, only the level of the channel counts.
 */
export async function channelsForChild(
  channels: ChannelsOnAir,
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
