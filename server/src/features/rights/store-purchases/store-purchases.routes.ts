import { OFFER_VALIDITY } from '@ondine/contract/orders'
import { linkStorePurchase } from '@ondine/contract/store-purchases'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import { requireActiveAccount } from '../entitlements/entitlements.service.ts'
import { noticePathOf } from '../payments/payments.service.ts'
import * as purchases from './store-purchases.service.ts'

/** Maximum size of a notice, in bytes. */
const MOST_NOTICE = 256 * 1024

const appleNotice = z.object({ signedPayload: z.string() })

export function registerStorePurchases(
  app: FastifyInstance,
  on: On,
  { viewers }: Pick<Context, 'viewers'>,
  parts: purchases.StoreParts,
): void {
  on(linkStorePurchase, async ({ transactionId, provider, transactionParams = {} }, call) => {
    requireActiveAccount(await viewers.of(call, call.now))
    const sent = { transactionId, provider, params: transactionParams }
    const { offerId, isActive, renews, from, to } = await purchases.linkStorePurchase(
      parts,
      call.account,
      sent,
    )
    return {
      idOption: offerId,
      isActive,
      statusId: renews ? OFFER_VALIDITY.active : OFFER_VALIDITY.cancelled,
      userValidityFrom: seconds(from),
      userValidityTo: to === null ? null : seconds(to),
    }
  })
  registerNotices(app, parts)
}

/** Registers the routes for the stores' notices. A store repeats a notice until the response is successful. */
function registerNotices(app: FastifyInstance, parts: purchases.StoreParts): void {
  const { apple, google } = parts
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MOST_NOTICE }, (_request, body, done) =>
      done(null, body),
    )
    const config = { operation: 'storeNotice', openToOtherSites: true }
    if (apple)
      scope.post(noticePathOf('apple'), { config }, async ({ body }) => {
        const read = appleNotice.safeParse(parsed(body))
        if (!read.success) throw new ServiceError('forbidden')
        await purchases.takeAppleNotice(parts, apple, read.data.signedPayload)
        return { received: true }
      })
    if (google)
      scope.post(noticePathOf('google'), { config }, async ({ headers: { authorization }, body }) => {
        const notice = { authorization, body: typeof body === 'string' ? body : '' }
        await purchases.takeGoogleNotice(parts, google, notice)
        return { received: true }
      })
  })
}

function parsed(body: unknown): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

function seconds(time: number): number {
  return Math.floor(time / 1000)
}
