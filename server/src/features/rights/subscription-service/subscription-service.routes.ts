import { refreshSubscriptions, subscriptionSession } from '@ondine/contract/subscription-service'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { notFoundBy, ServiceError } from '../../../http/errors.ts'
import type { Call, On } from '../../../http/operations.ts'
import { accountTokenOf } from '../../../http/principal.ts'
import { type RateLimit, rateLimit } from '../../../http/rate-limit.ts'
import { requireActiveAccount, type Viewer } from '../entitlements/entitlements.service.ts'
import { isOnSale } from '../offers/offer-book.service.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import { expectPurchase, openServiceSession } from './service-sessions.ts'
import { SERVICE_STORE, type TakeParts, takeSubscriptions } from './service-subscriptions.service.ts'
import { serviceSubscriptions } from './subscription-service.table.ts'

/**
 * Rate limit on opening sessions of the subscription service, per client address, and on querying subscriptions,
 * per account token. As a multiple of the limit on sign-in attempts. Each of these calls causes a request to the
 * subscription service.
 */
const ASKED = 6

/** @param parts undefined if no subscription service is configured */
export function registerSubscriptionService(
  app: FastifyInstance,
  on: On,
  context: Context,
  parts: TakeParts | undefined,
): void {
  const { viewers, configurations, settings } = context
  const max = settings.SIGN_IN_ATTEMPTS * ASKED
  const sessionLimit = rateLimit(app, { max })
  // Limit queries by account token and not by address: every visit begins with a query (V4-02), and many viewers
  // can share an address. With a common limit, these viewers could block each other's checkouts.
  const queryLimit = rateLimit(app, {
    max,
    about: (request) => {
      const { header, cookie } = accountTokenOf(request)
      return header ?? cookie ?? ''
    },
  })

  /**
   * Returns the viewer who buys at the subscription service.
   *
   * @throws ServiceError accountSuspended; notFound if this storefront does not sell through the subscription
   * service
   */
  async function open(
    call: Call<'profile'>,
    limit: RateLimit,
  ): Promise<{ served: TakeParts; viewer: Viewer }> {
    const viewer = await viewers.of(call, call.now)
    requireActiveAccount(viewer)
    const { subscription } = configurations.of(call.storefront.id).offers
    if (parts === undefined || subscription !== SERVICE_STORE) throw new ServiceError('notFound')
    await limit(call.request)
    return { served: parts, viewer }
  }

  on(subscriptionSession, async ({ offerId }, call) => {
    const { served, viewer } = await open(call, sessionLimit)
    const accountId = call.account.id
    const named = offerId === undefined ? null : await externalId(served, { offerId, viewer, accountId })
    const session = await openServiceSession(served, accountId, call.request.ip)
    await expectPurchase(served, accountId)
    const { publisherId, checkoutUrl } = served.service
    return { ...session, publisherId, checkoutUrl, offerId: named }
  })

  on(refreshSubscriptions, async (_input, call) => {
    const { served } = await open(call, queryLimit)
    return await takeSubscriptions(served, call.account.id)
  })
}

/**
 * Returns the external id of an offer at the subscription service.
 *
 * @throws ServiceError notFound if the offer has no such id (A5-31), resourceNotActive if it is not on sale,
 * alreadySubscribed if the account has it
 */
async function externalId(
  { book, clock, db }: TakeParts,
  { offerId, viewer, accountId }: { offerId: number; viewer: Viewer; accountId: number },
): Promise<string> {
  const now = clock.now()
  const offer = book.ofId(offerId)
  const external = offer?.type === 'subscription' ? offer.terms.externalIds[SERVICE_STORE] : undefined
  if (offer === undefined || external === undefined || external === '') throw notFoundBy('offerId')
  if (!isOnSale(offer, now)) throw new ServiceError('resourceNotActive')
  const { requires, packageIds } = offer.terms
  // Skip this check for options, because an option may open the same packages as its plan.
  if (requires.length === 0 && packageIds.every((id) => viewer.packageIds.has(id)))
    throw new ServiceError('alreadySubscribed')
  const [held] = await db
    .select({ id: serviceSubscriptions.id })
    .from(serviceSubscriptions)
    .innerJoin(offerRevisions, eq(serviceSubscriptions.offerRevisionId, offerRevisions.id))
    .where(
      and(
        eq(serviceSubscriptions.accountId, accountId),
        eq(offerRevisions.offerId, offer.id),
        isNull(serviceSubscriptions.endedAt),
        gt(serviceSubscriptions.validTo, now),
      ),
    )
    .limit(1)
  if (held) throw new ServiceError('alreadySubscribed')
  return external
}
