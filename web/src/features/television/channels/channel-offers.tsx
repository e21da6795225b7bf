import type { Channel } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { PlayButton } from '../../content/catalogue/play-button.tsx'
import { channelAction, channelSoldBy } from '../../content/catalogue/playing.ts'
import { useSession } from '../../ground/session/session.ts'
import { BuyButtons } from '../../rights/offers/buy-buttons.tsx'
import { useIsSold } from '../../rights/offers/unlocking.ts'

/**
 * The offers that unlock a channel and its programmes. Renders nothing for a viewer who may watch the channel, a suspended account or a
 * child.
 *
 * @param isMain whether the offers are the main action
 */
export function ChannelOffers({ channel, isMain = true }: { channel: Channel; isMain?: boolean }) {
  const { t } = useTranslation()
  const sold = channelSoldBy(channelAction(channel, useSession(), channel.detailRoute, t), channel)
  return sold === undefined ? null : <BuyButtons content={sold} title={channel.name} isMain={isMain} />
}

/** Returns whether {@link ChannelOffers} shows anything. */
export function useIsChannelSold(channel: Channel): boolean {
  const { t } = useTranslation()
  const action = channelAction(channel, useSession(), channel.detailRoute, t)
  return useIsSold(channelSoldBy(action, channel))
}

/**
 * Plays a channel, or leads to the sign-in. Where {@link ChannelOffers} stand beside it, they are the main action.
 *
 * @param page path that a visitor returns to after the sign-in
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
  return <PlayButton action={action} isSecond={useIsChannelSold(channel)} />
}
