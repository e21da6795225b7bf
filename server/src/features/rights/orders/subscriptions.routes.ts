import { amountText } from '@ondine/contract/money'
import {
  cancelSubscription,
  changeSubscription,
  listChanges,
  listSubscriptions,
  payRenewal,
  resumeSubscription,
  type Subscription,
  undoChange,
} from '@ondine/contract/subscriptions'
import type { Context } from '../../../context.ts'
import { notFoundBy } from '../../../http/errors.ts'
import type { Call, On } from '../../../http/operations.ts'
import { siteOriginOf } from '../../../http/site-origin.ts'
import { requireAccount } from '../../people/accounts/accounts.service.ts'
import { buyerOf } from './cart.service.ts'
import { changePlan, undoChange as takeBack } from './change-plan.ts'
import type { AskedPayment, OrderParts } from './orders.service.ts'
import { presentChange } from './plan-changes.presenter.ts'
import { planChanges } from './plan-changes.ts'
import { onPurchase } from './purchase-memory.ts'
import { resume } from './resume-subscription.ts'
import { returnAddress } from './return-address.ts'
import { type EmailParts, sendEmails } from './subscription-emails.ts'
import * as subscriptions from './subscriptions.service.ts'

export function registerSubscriptions(on: On, context: Context, parts: OrderParts & EmailParts): void {
  const onChange = onPurchase(on, context.purchases)
  const list = async ({ account, storefront, language, now }: Call<'profile'>): Promise<Subscription[]> =>
    await subscriptions.presentSubscriptions(parts, {
      accountId: account.id,
      language,
      sells: context.configurations.of(storefront.id).offers,
      now,
    })
  const find = async (call: Call<'profile'>, id: number) => (await list(call)).find((each) => each.id === id)

  on(listSubscriptions, async (_input, call) => {
    await requireAccount(call.db, call.account)
    return await list(call)
  })

  // A suspended account may still cancel.
  onChange(cancelSubscription, async ({ subscriptionId }, call) => {
    const { account, db, now } = call
    await requireAccount(db, account)
    await subscriptions.cancel(db, account.id, subscriptionId, now)
    await sendEmails(parts, now, subscriptionId)
    return (await find(call, subscriptionId)) ?? null
  })

  onChange(resumeSubscription, async ({ subscriptionId, returnUrl, parentalProof, ...method }, call) => {
    const buyer = await buyerOf(context, call, parentalProof)
    const { origin } = siteOriginOf(context, call.request)
    const returnTo =
      returnUrl === undefined
        ? undefined
        : returnAddress(returnUrl, { origin, appOrigins: context.settings.APP_ORIGINS })
    const asked = await resume(parts, buyer, { subscriptionId, method, returnTo, origin })
    await sendEmails(parts, call.now, subscriptionId)
    const resumed = await find(call, subscriptionId)
    if (!resumed) throw notFoundBy('subscriptionId')
    return { ...resumed, payment: asked ? presentPayment(asked) : null }
  })

  onChange(payRenewal, async ({ subscriptionId, returnUrl, parentalProof, ...method }, call) => {
    const { account, now } = call
    await buyerOf(context, call, parentalProof)
    const { origin } = siteOriginOf(context, call.request)
    const returnTo = returnAddress(returnUrl, { origin, appOrigins: context.settings.APP_ORIGINS })
    const { order, action } = await subscriptions.payDue(
      parts,
      { accountId: account.id, now },
      { subscriptionId, method, returnTo, origin },
    )
    return presentPayment({ order, action })
  })

  on(listChanges, async ({ subscriptionId, parentalProof }, call) => {
    const buyer = await buyerOf(context, call, parentalProof)
    const changes = await planChanges(parts, buyer, subscriptionId)
    return changes.map((change) => presentChange(change, buyer.language))
  })

  onChange(changeSubscription, async ({ subscriptionId, idOption, idRevision, amount, ...sent }, call) => {
    const { returnUrl, parentalProof, policyValidation: _, ...method } = sent
    const buyer = await buyerOf(context, call, parentalProof)
    const { origin } = siteOriginOf(context, call.request)
    const returnTo = returnAddress(returnUrl, { origin, appOrigins: context.settings.APP_ORIGINS })
    const asked = await changePlan(parts, buyer, {
      subscriptionId,
      offerId: idOption,
      revisionId: idRevision,
      amount,
      method,
      returnTo,
      origin,
    })
    if (asked === undefined) {
      await sendEmails(parts, buyer.now, subscriptionId)
      return { starts: 'nextPeriod' as const, payment: null }
    }
    return { starts: 'now' as const, payment: presentPayment(asked) }
  })

  onChange(undoChange, async ({ subscriptionId, parentalProof }, call) => {
    const { account, db, now } = call
    await buyerOf(context, call, parentalProof)
    await takeBack(db, account.id, subscriptionId, now)
    await sendEmails(parts, now, subscriptionId)
    const subscription = await find(call, subscriptionId)
    if (!subscription) throw notFoundBy('subscriptionId')
    return subscription
  })
}

function presentPayment({ order, action }: AskedPayment) {
  return { action, amount: amountText(order.cents), orderId: order.id }
}
