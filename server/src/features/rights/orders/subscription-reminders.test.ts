import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { emailsTo } from '../../../../test/emails.ts'
import { CARDS, SOLD } from '../../../../test/purchases.ts'
import { DAY_MS, renewalScene } from '../../../../test/renewal-scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { Mail, startMailJobs } from '../../people/mail/mail.service.ts'
import { openPost } from '../../people/mail/mailer.ts'
import { paymentMethods } from '../payments/payments.table.ts'
import { subscriptions } from './orders.table.ts'
import { renewSubscriptions } from './renewals.service.ts'
import { remind } from './subscription-reminders.ts'

describe.each(MAIN_DB)('reminders, on a database of kind %s', (kind) => {
  const { scene, shop, db, letters, jobParts, at, only, emailsOf, subscribe, cancel } = renewalScene(kind)

  const remindAt = async (time: number) => {
    at(time)
    await remind(db(), time)
    await renewSubscriptions(jobParts())
    return emailsOf()
  }

  it('come once before a yearly plan renews, and never before a monthly plan renews', async () => {
    await subscribe(['cinema-yearly'])
    const end = Date.UTC(2027, 0, 15, 12)
    expect(await remindAt(end - 50 * DAY_MS)).toEqual([])
    expect(await remindAt(end - 44 * DAY_MS)).toEqual(['renewalAhead'])
    expect(await remindAt(end - 43 * DAY_MS)).toEqual(['renewalAhead'])
  })

  it('of a renewal do not come when the operator switches them off', async () => {
    await subscribe(['cinema-yearly'])
    const change = await changeConfigurationOf(scene.service, {
      'offers.consumerRules.isRenewalReminded': false,
    })
    expect(await remindAt(Date.UTC(2027, 0, 15, 12) - 44 * DAY_MS)).toEqual([])
    await change.undo()
    // Switching reminders on again does not send the missed reminder.
    expect(await remindAt(Date.UTC(2027, 0, 15, 12) - 40 * DAY_MS)).toEqual([])
  })

  it('do not come for a cancelled subscription', async () => {
    await subscribe(['cinema-yearly'])
    await cancel((await only()).id)
    expect(await remindAt(Date.UTC(2027, 0, 15, 12) - 44 * DAY_MS)).toEqual([])
  })

  it('do not come for an option that ends with its plan, nor for a plan without a card', async () => {
    await shop.sell(
      `${SOLD}  - { key: sound-yearly, type: subscription, name: { fra: Son }, price: "9.00", every: year, packages: [cinema], requires: [cinema-yearly] }\n`,
    )
    await subscribe(['cinema-yearly', 'sound-yearly'])
    await cancel((await shop.subscriptions()).find(({ canChange }) => canChange)?.id ?? 0)
    const other = await scene.make.actor()
    await subscribe(['cinema-yearly'], CARDS.good, other)
    await db()
      .update(subscriptions)
      .set({ methodId: null })
      .where(eq(subscriptions.accountId, other.account.id))
    await remindAt(Date.UTC(2027, 0, 15, 12) - 44 * DAY_MS)
    expect([emailsOf(), emailsOf(other)].map((all) => all.filter((name) => name === 'renewalAhead'))).toEqual(
      [[], []],
    )
  })

  it('come once before the card of a subscription expires', async () => {
    await subscribe(['cinema-monthly'], CARDS.expiresSoon)
    expect((await only()).method?.expiresAt).toBe((NOON + 50 * DAY_MS) / 1000)
    expect(await remindAt(NOON + 19 * DAY_MS)).toEqual([])
    expect(await remindAt(NOON + 21 * DAY_MS)).toEqual(['cardExpires'])
    expect(await remindAt(NOON + 22 * DAY_MS)).toEqual(['cardExpires'])
  })

  it.each([
    ['fra', 'expire fin février 2026.'],
    ['eng', 'expires at the end of February 2026.'],
  ])('name the last month in which the card is valid, in %s', async (language, text) => {
    const { context } = scene.service
    await startMailJobs(context, openPost(context.settings, scene.service.clock), async () => undefined)
    const { id, email } = scene.actor.account
    await db().update(accounts).set({ language }).where(eq(accounts.id, id))
    await subscribe(['cinema-monthly'], CARDS.expiresSoon)
    await db()
      .update(paymentMethods)
      .set({ expiresAt: Date.UTC(2026, 2) })
      .where(eq(paymentMethods.accountId, id))
    expect(await remindAt(Date.UTC(2026, 1, 10))).toEqual(['cardExpires'])
    await new Mail(context.jobs).order(...letters.slice(-1))
    const [received] = await emailsTo(context.settings.DATA_DIR, email, 1)
    expect(received?.text).toContain(text)
  })
})
