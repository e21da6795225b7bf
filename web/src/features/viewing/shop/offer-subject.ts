import type { Session } from '@ondine/contract/accounts'
import { assets } from '@ondine/contract/catalogue'
import type { Asset, Channel } from '@ondine/contract/entities'
import type { Offer } from '@ondine/contract/offers'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { call } from '../../../api/call.ts'
import { assetAction, channelAction, channelSoldBy, soldBy } from '../../content/catalogue/playing.ts'
import { channelsQuery } from '../../content/line-up/queries.ts'
import { firstEpisodeQuery, seasonOf } from '../../rights/offers/first-episode.ts'
import type { SoldContent } from '../../rights/offers/offer-paths.ts'

/** The channel, the title, or the first episode of the season that an offer is for. */
type Subject = { channel: Channel } | { asset: Asset }

/** Returns whether an offer is for one channel, title or season. With other offers, the viewer chooses a title. */
export function hasSubject({ idAsset, objectIds }: Pick<Offer, 'idAsset' | 'objectIds'>): boolean {
  return idAsset !== null || objectIds.channel.length > 0 || seasonOf(objectIds) !== undefined
}

/** The subject of an offer; null if the catalogue does not contain it for the viewer. */
export function subjectQuery(
  queries: QueryClient,
  { idOption, idAsset, objectIds }: Pick<Offer, 'idOption' | 'idAsset' | 'objectIds'>,
) {
  return queryOptions({
    queryKey: ['offerSubject', idOption],
    queryFn: async (): Promise<Subject | null> => {
      const [channelId] = objectIds.channel
      if (channelId !== undefined) {
        const channels = await queries.fetchQuery(channelsQuery)
        const channel = channels.find(({ idChannel }) => idChannel === channelId)
        return channel === undefined ? null : { channel }
      }
      const seasonId = seasonOf(objectIds)
      const asset =
        seasonId !== undefined
          ? await queries.fetchQuery(firstEpisodeQuery(seasonId))
          : idAsset !== null && (await call(assets, { assetIds: [idAsset] }))[0]
      return asset ? { asset } : null
    },
  })
}

/**
 * Returns why nobody can buy a subject now: the title is being prepared, or it is not in the catalogue. Undefined if
 * there is no such reason.
 */
export function whyNotSold(
  subject: Subject | null,
  session: Pick<Session, 'account'>,
  t: TFunction,
): string | undefined {
  if (subject === null) return t('errors.unavailable')
  if ('channel' in subject) return undefined
  const action = assetAction(subject.asset, session, subject.asset.detailRoute, t)
  return action.kind === 'preparing' ? action.text : undefined
}

/** Returns what to buy of a subject; undefined if the viewer may watch it already, or cannot buy it. */
export function soldOf(
  subject: Subject,
  session: Pick<Session, 'account'>,
  t: TFunction,
): SoldContent | undefined {
  if ('channel' in subject) {
    const { channel } = subject
    return channelSoldBy(channelAction(channel, session, channel.detailRoute, t), channel)
  }
  const { asset } = subject
  return soldBy(assetAction(asset, session, asset.detailRoute, t), asset)
}
