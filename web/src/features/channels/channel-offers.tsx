import type { Channel } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { useSession } from '../accounts/session.ts'
import { PlayButton } from '../catalogue/play-button.tsx'
import { channelAction, channelSoldBy } from '../catalogue/playing.ts'
import { BuyButtons } from '../offers/buy-buttons.tsx'
import { useIsSold } from '../offers/unlocking.ts'

/**
 * What unlocks a channel and its programmes, where that is sold here. Nothing for a viewer who may watch the channel, and nothing for a
 * suspended account or a child.
 *
 * @param isMain whether it is the first thing to do where it stands
 */
export function ChannelOffers({ channel, isMain = true }: { channel: Channel; isMain?: boolean }) {
  const { t } = useTranslation()
  const sold = channelSoldBy(channelAction(channel, useSession(), channel.detailRoute, t), channel)
  return sold === undefined ? null : <BuyButtons content={sold} title={channel.name} isMain={isMain} />
}

/**
 * Watches a channel, or leads to the sign-in. Where {@link ChannelOffers} stand beside it, they are the first thing to do.
 *
 * @param page where a visitor comes back to
 */
export function ChannelPlayButton({
  channel,
  page = channel.detailRoute,
}: {
  channel: Channel
  page?: string
}) {
  const { t } = useTranslation()
  const action = channelAction(channel, useSession(), page, t)
  return <PlayButton action={action} isSecond={useIsSold(channelSoldBy(action, channel))} />
}
