import type { Channel } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { useSession } from '../accounts/session.ts'
import { channelAction, mayUnlockChannel } from '../catalogue/playing.ts'
import { BuyButtons } from '../offers/buy-buttons.tsx'

/**
 * The offers that unlock a channel and its programmes. Renders nothing for a viewer who may watch the channel, a suspended account or a
 * child.
 *
 * @param isMain whether the offers are the main action of the page of an account that may not watch the channel
 */
export function ChannelOffers({ channel, isMain = true }: { channel: Channel; isMain?: boolean }) {
  const { t } = useTranslation()
  const action = channelAction(channel, useSession(), channel.detailRoute, t)
  if (!mayUnlockChannel(action, channel)) return null
  return (
    <BuyButtons
      content={{ contentId: channel.idChannel, contentType: 'CHANNEL' }}
      title={channel.name}
      isMain={isMain && action.kind === 'locked'}
    />
  )
}
