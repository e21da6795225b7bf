import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import {
  type ChangedPayment,
  findPaymentByKey,
  followCards,
  noticePathOf,
  type PaymentProviders,
} from './payments.service.ts'

/** Maximum size of a notice, in bytes. */
const MOST_NOTICE = 64 * 1024

/**
 * Registers the routes to which providers send their notices (webhooks).
 *
 * @param onNotice called with a payment that has changed at its provider. The service confirms the
 * notice when the promise resolves. If the promise rejects, the provider sends the notice again
 */
export function registerPayments(
  app: FastifyInstance,
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  providers: PaymentProviders,
  onNotice: (changed: ChangedPayment) => Promise<void>,
): void {
  void app.register(async (scope) => {
    // The signature covers the raw body, so the route must not parse the body.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MOST_NOTICE }, (_request, body, done) =>
      done(null, body),
    )
    for (const provider of providers.values()) {
      const config = { operation: 'paymentNotice', openToOtherSites: true }
      scope.post(noticePathOf(provider.name), { config }, async ({ headers, body }) => {
        const received = { headers, body: typeof body === 'string' ? body : '' }
        const notice = await provider.verifyNotice(received, clock.now())
        if (notice === undefined) throw new ServiceError('forbidden')
        if (notice.cardsOf !== undefined && provider.cardsOf)
          await followCards(db, { provider, customer: notice.cardsOf, now: clock.now() })
        const payment = await findPaymentByKey(db, notice.key)
        if (payment === undefined) return { received: true }
        await onNotice({ paymentId: payment.id, isDispute: notice.isDispute })
        return { received: true }
      })
    }
  })
}
