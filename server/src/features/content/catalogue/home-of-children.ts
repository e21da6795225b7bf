import type { HomeType } from '@ondine/contract/configuration-values'
import { VISITOR, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import type { Reader } from './catalogue.presenter.ts'
import type { ChannelItem, ChannelsOnAir } from './channels-on-air.ts'

/**
 * Returns the type of home page that a viewer gets (V3-32). A child's profile always gets the home page of
 * children, whatever its client requests.
 */
export function homeFor({ kid }: Viewer, wanted: HomeType): HomeType {
  return kid ? 'children' : wanted
}

/**
 * Returns the channels that a child can watch now. It leaves out a channel whose current programme is above
 * the child's level (spec 27). A channel without a guide is kept, because only the level of the channel is
 * known.
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
