import { checkLedger } from '@ondine/contract/ledger'
import { refundOrder } from '@ondine/contract/operated-orders'
import { beforeAll, describe, expect, it } from 'vitest'
import { MAIN_DB, type Tokens } from '../../../../test/service.ts'
import { stripePayments } from '../../../../test/stripe-payments.ts'

const takenBack = (orderId: number) =>
  `was taken back by the bank of the customer: answer the dispute at the provider, or accept it with "orders refund ${orderId}", which ends the rights`

describe.each(MAIN_DB)('payments that customers dispute at their bank, on a database of kind %s', (kind) => {
  const { stripe, scene, shop, titles, keyOf, rent, send, reconcile, failing } = stripePayments(kind)
  const operator: Tokens = {}
  beforeAll(async () => void Object.assign(operator, (await scene.make.operator()).tokens))

  const faults = async () => (await scene.service.call(checkLedger, {}, operator)).result.faults
  /** Rents a film. @returns the order, and the payment as the check of the ledger names it */
  async function paid() {
    const { orderId, action } = await rent()
    stripe.pay(action)
    expect(await shop.status(orderId)).toBe('executed')
    stripe.notices.length = 0
    return { orderId, subject: `payment ${(await shop.paymentOf(orderId)).id}` }
  }

  it('keep their rights, and are listed by the check of the ledger until the dispute is won', async () => {
    const { orderId, subject } = await paid()
    const dispute = stripe.dispute(await keyOf(orderId))
    expect(await send(stripe.notices)).toEqual([200])
    expect(await shop.plays(titles.encre)).toBe(0)
    expect(await faults()).toEqual([{ subject, fault: takenBack(orderId) }])
    dispute.status = 'won'
    expect(await faults()).toEqual([])
  })

  it('end with a refund by the operator, which Stripe refuses because the bank has returned the money', async () => {
    const { orderId } = await paid()
    stripe.dispute(await keyOf(orderId))
    expect((await scene.service.call(refundOrder, { idOrder: orderId }, operator)).status).toBe(200)
    expect((await shop.paymentOf(orderId)).state).toBe('refunded')
    expect(await shop.plays(titles.encre)).not.toBe(0)
    stripe.requests.length = 0
    await reconcile()
    expect(stripe.requests).toEqual([])
    expect(await faults()).toEqual([])
  })

  it('are told to the operator, once the payment is found; notices of other products are ignored', async () => {
    const { orderId } = await paid()
    stripe.dispute(await keyOf(orderId))
    failing(/^GET/, 'silent')
    expect((await send(stripe.notices))[0]).toBeGreaterThanOrEqual(500)
    stripe.fault = () => undefined
    const errors: unknown[][] = []
    const { log } = scene.service.context
    const kept = log.error
    log.error = (...said: unknown[]) => void errors.push(said)
    try {
      const object = { object: 'dispute', metadata: {}, payment_intent: null }
      const other = { id: 'evt', object: 'event', type: 'charge.dispute.created', data: { object } }
      expect(await send([...stripe.notices, JSON.stringify(other)])).toEqual([200, 200])
    } finally {
      log.error = kept
    }
    const about = { order: orderId, account: scene.actor.account.id }
    expect(errors).toEqual([[about, expect.stringContaining(`orders refund ${orderId}`)]])
  })
})
