import type { Session } from '@ondine/contract/accounts'
import type { Asset, Channel } from '@ondine/contract/entities'
import type { Offer } from '@ondine/contract/offers'
import type { QueryClient } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { isNative } from '../api/native.ts'
import { homeQuery } from '../features/content/catalogue/queries.ts'
import { configurationOf } from '../features/ground/configuration/configuration-query.ts'
import { isChild, isChildWatching, sessionQuery } from '../features/ground/session/session.ts'
import { offersOfQuery, offersQuery } from '../features/rights/offers/offers-query.ts'
import { rentalShopOf, type Shop, shopOf } from '../features/rights/offers/shop.ts'
import { subscriptionsQuery } from '../features/rights/offers/subscriptions-query.ts'
import { orderQuery } from '../features/rights/orders/order-query.ts'
import { paymentMethodsQuery } from '../features/rights/payments/payment-methods-query.ts'
import { receiptsQuery } from '../features/rights/receipts/receipts-query.ts'
import { optionsQuery } from '../features/rights/subscriptions/queries.ts'
import { hasSubject, subjectQuery } from '../features/viewing/shop/offer-subject.ts'
import type { RouterContext } from './route-head.ts'

/**
 * Prefetches the data of a purchase screen: the offers on sale, and posters. The posters are around the offers, or
 * above the link to the operator's external shop. Ignores failures of prefetches.
 * @returns where the viewer can buy
 */
export async function loadShop(
  { queryClient, environment }: RouterContext,
  { rents = false, posters = false }: { rents?: boolean; posters?: boolean },
): Promise<Shop['kind']> {
  const session = await queryClient.ensureQueryData(sessionQuery)
  const kind = shopKind(queryClient, session, rents)
  await Promise.all([
    kind === 'here' && queryClient.prefetchQuery(offersQuery),
    kind === 'here' && session.account !== null && queryClient.prefetchQuery(subscriptionsQuery),
    (kind === 'elsewhere' || (kind === 'here' && posters)) &&
      queryClient.prefetchQuery(homeQuery(session, environment.shuffle)),
  ])
  return kind
}

/** Returns where the viewer can buy. The result is `closed` for a child and for a suspended account. */
function shopKind(queries: QueryClient, session: Session, rents: boolean): Shop['kind'] {
  if (isChild(session) || session.account?.status === 'SUSPENDED') return 'closed'
  return (rents ? rentalShopOf : shopOf)(configurationOf(queries), isNative()).kind
}

/**
 * Prefetches the data of an offer's page, with the title or channel of the offer. An offer that is not on sale gives a
 * 404.
 */
export async function loadOffer(
  context: RouterContext,
  id: number,
): Promise<{ kind: Shop['kind']; offer: Pick<Offer, 'title' | 'description'> | undefined }> {
  const kind = await loadShop(context, { posters: true })
  const offers = kind === 'here' ? context.queryClient.getQueryData(offersQuery.queryKey) : undefined
  if (offers === undefined) return { kind, offer: undefined }
  const offer = offers.find(({ idOption }) => idOption === id)
  if (offer === undefined) throw notFound()
  if (hasSubject(offer)) await context.queryClient.prefetchQuery(subjectQuery(context.queryClient, offer))
  return { kind, offer: { title: offer.title, description: offer.description } }
}

/**
 * Prefetches the data of an order's page. An order of another account gives a 404.
 *
 * @param isSingle whether the order is a single purchase
 */
export async function loadOrder(
  context: RouterContext,
  { orderId, isSingle }: { orderId: number | undefined; isSingle: boolean },
): Promise<void> {
  const kind = await loadShop(context, { rents: true, posters: true })
  if (kind !== 'here' || orderId === undefined) return
  await context.queryClient.prefetchQuery(orderQuery(orderId))
  // The list contains the purchase as soon as the order is executed.
  if (isSingle) await context.queryClient.prefetchQuery(optionsQuery)
}

/** Prefetches the account's subscriptions, payment methods and receipts. A child sees none of them. */
export async function loadProducts({ queryClient }: RouterContext): Promise<void> {
  if (isChildWatching(queryClient)) return
  await Promise.all([
    queryClient.prefetchQuery(subscriptionsQuery),
    queryClient.prefetchQuery(optionsQuery),
    queryClient.prefetchQuery(paymentMethodsQuery),
    queryClient.prefetchQuery(receiptsQuery),
  ])
}

/** Prefetches what the account has bought. Ignores a failure. */
export async function loadBought(queries: QueryClient): Promise<void> {
  await queries.prefetchQuery(optionsQuery)
}

/**
 * Prefetches the offers that unlock a title, for the title's page. Sends no request if the viewer can play the
 * title, or if it is not sold, or not sold here.
 */
export async function loadUnlocking(
  { queryClient }: RouterContext,
  asset: Pick<Asset, 'idAsset' | 'isIncludedInUserOffers' | 'linkedOffers' | 'linkedTransactionalOffers'>,
): Promise<void> {
  const session = await queryClient.ensureQueryData(sessionQuery)
  const { idAsset, isIncludedInUserOffers, linkedOffers, linkedTransactionalOffers } = asset
  if (isIncludedInUserOffers || linkedOffers.length + linkedTransactionalOffers.length === 0) return
  if (shopKind(queryClient, session, true) === 'here') await queryClient.prefetchQuery(offersOfQuery(idAsset))
}

/**
 * Prefetches the offers that unlock a channel, for a page that shows the channel. Sends no request if the viewer
 * may watch the channel, or cannot buy here.
 */
export async function loadChannelUnlocking(
  { queryClient }: RouterContext,
  { idChannel, isIncludedInUserOffers, item }: Pick<Channel, 'idChannel' | 'isIncludedInUserOffers' | 'item'>,
): Promise<void> {
  const session = await queryClient.ensureQueryData(sessionQuery)
  if (isIncludedInUserOffers || item.isFta) return
  if (shopKind(queryClient, session, true) === 'here')
    await queryClient.prefetchQuery(offersOfQuery(idChannel, 'CHANNEL'))
}
