import type { Programme } from '@ondine/contract/entities'
import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import type { i18n } from 'i18next'
import { channelAction } from '../../content/catalogue/playing.ts'
import type { CardAction } from '../../content/catalogue/programme-menu.ts'
import { channelsQuery } from '../../content/line-up/queries.ts'
import { serviceNow } from '../../ground/clock/browser-clock.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { mayStartOver, startOverPath } from './start-over.ts'

/**
 * Returns the action of a card's menu that plays a programme from its beginning (V1-08). Empty if the viewer may not start
 * it over now.
 *
 * @throws ApiError
 */
export async function startOverActions(router: AnyRouter, programme: Programme): Promise<CardAction[]> {
  // The type of a router does not contain its context.
  const { queryClient, words }: { queryClient: QueryClient; words: i18n } = router.options.context
  const [session, channels] = await Promise.all([
    queryClient.ensureQueryData(sessionQuery),
    queryClient.ensureQueryData(channelsQuery),
  ])
  const channel = channels.find(({ idChannel }) => idChannel === programme.id_channel)
  if (channel === undefined || !mayStartOver(programme, channel, serviceNow() / 1000)) return []
  if (channelAction(channel, session, channel.detailRoute, words.t).kind !== 'play') return []
  return [
    {
      text: words.t('guide.watchFromStart'),
      icon: 'startOver',
      act: async () => await router.navigate({ href: startOverPath(programme) }),
    },
  ]
}
