import type { Channel } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { LockedNote, PlayButton } from '../../content/catalogue/play-button.tsx'
import { channelAction, channelSoldBy } from '../../content/catalogue/playing.ts'
import { useSession } from '../../ground/session/session.ts'
import { BuyButtons } from '../../rights/offers/buy-buttons.tsx'
import { useIsSold } from '../../rights/offers/unlocking.ts'

/**
 * The offers that unlock a channel and its programmes. Renders nothing if the viewer may already watch the channel, for
 * a suspended account, and for a child.
 *
 * @param isMain whether the offers are the main action of the page
 */
export function ChannelOffers({ channel, isMain = true }: { channel: Channel; isMain?: boolean }) {
  const { t } = useTranslation()
  const action = channelAction(channel, useSession(), channel.detailRoute, t)
  const sold = channelSoldBy(action, channel)
  const isSold = useIsSold(sold)
  if (sold === undefined) return null
  return (
    <>
      {isMain && isSold && <LockedNote action={action} />}
      <BuyButtons content={sold} title={channel.name} isMain={isMain} />
    </>
  )
}

/** Returns whether {@link ChannelOffers} shows anything. */
export function useIsChannelSold(channel: Channel): boolean {
  const { t } = useTranslation()
  const action = channelAction(channel, useSession(), channel.detailRoute, t)
  return useIsSold(channelSoldBy(action, channel))
}

/**
 * The button that plays a channel, or leads to the sign-in. If {@link ChannelOffers} are beside the button, the
 * offers are the main action and the button is less prominent.
 *
 * @param page path to which a signed-out viewer goes back after signing in
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
