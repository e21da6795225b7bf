import { checkOrderStatus, type OrderState, type PaymentMethod } from '@ondine/contract/orders'
import {
  cancelSubscription,
  changeSubscription,
  type PlanChange,
  payRenewal,
  resumeSubscription,
  type Subscription,
  undoChange,
} from '@ondine/contract/subscriptions'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { leaveFor } from '../../../api/native.ts'
import { modal } from '../../../modals/modal.ts'
import { dateText } from '../../../words/dates.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import type { Place } from '../../../words/format.ts'
import { centsOf } from '../../../words/money.ts'
import { configurationOf } from '../../ground/configuration/configuration-query.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { returnAddress } from '../../ground/links/return-address.ts'
import { notify } from '../../ground/notices/notice.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'
import { paymentMethodsQuery } from '../payments/payment-methods-query.ts'
import { newCard } from '../payments/saved-methods.ts'
import { sentMethod } from '../payments/sent-method.ts'
import { askProductsAnew } from './queries.ts'

/** Cancels a subscription after confirmation. The confirmation says when the access of the subscription ends. */
export async function cancelPlan(
  queries: QueryClient,
  { id, title, next, validTo }: Subscription,
  place: Place,
): Promise<void> {
  const { t } = pageWords()
  const isPaid = next.step === 'renews' || next.step === 'ends'
  const sure = await modal.open('confirm', {
    title: t('products.cancelTitle', { title }),
    description: isPaid
      ? t('products.cancelText', { date: dateText(validTo, place) })
      : t('products.cancelNow'),
    primaryLabel: t('products.cancel'),
  })
  if (!sure) return
  const done = await withParentalCode(async (parentalProof) => {
    await call(cancelSubscription, { subscriptionId: id, parentalProof })
    return true
  })
  if (done === null) return
  await askProductsAnew(queries)
  const { isCancellationConfirmed } = configurationOf(queries).offers.consumerRules
  notify({
    text: t(isCancellationConfirmed ? 'products.cancelledByLetter' : 'products.cancelled', { title }),
  })
}

/** Revokes the cancellation of a subscription. */
export async function resumePlan(queries: QueryClient, { id, title }: Subscription): Promise<void> {
  const resumed = await withParentalCode(
    async (parentalProof) => await call(resumeSubscription, { subscriptionId: id, parentalProof }),
  )
  if (resumed === null) return
  await askProductsAnew(queries)
  // Without a card, the subscription ends all the same. The screen says so.
  if (resumed.next.step !== 'ends') notify({ text: pageWords().t('products.resumed', { title }) })
}

/**
 * Goes to the payment page for a renewal. The payment page sends the viewer back to this screen, with the id of the
 * order in the address.
 */
export async function payPlan(queries: QueryClient, { id }: Subscription): Promise<void> {
  const method = newCard(await queries.fetchQuery(paymentMethodsQuery))
  const asked = await withParentalCode(
    async (parentalProof) =>
      await call(payRenewal, {
        subscriptionId: id,
        returnUrl: returnAddress(pathOf('account-products')).href,
        parentalProof,
        ...(method && sentMethod(method)),
      }),
  )
  if (asked === null) return
  if (asked.action !== null) leaveFor(asked.action)
  else await askProductsAnew(queries)
}

/**
 * Returns whether the viewer must choose a payment method for a change of plan. A change that begins now is paid at once.
 * A later one charges the card of the subscription, and needs a saved card if none was ever chosen for it.
 */
export function needsMethod(
  { isCardChosen }: Pick<Subscription, 'isCardChosen'>,
  { starts, amount }: Pick<PlanChange, 'starts' | 'amount'>,
): boolean {
  return centsOf(amount) > 0 && (starts === 'now' || !isCardChosen)
}

/**
 * Changes a subscription to another plan. For an upgrade with a new card, goes to the payment page, which sends the
 * viewer back to this screen.
 *
 * @param method the payment method; undefined when nothing is due now, and the subscription has a card
 */
export async function changePlan(
  queries: QueryClient,
  { id }: Subscription,
  { idOption, idRevision, amount, title }: PlanChange,
  method: PaymentMethod | undefined,
): Promise<void> {
  const changed = await withParentalCode(
    async (parentalProof) =>
      await call(changeSubscription, {
        subscriptionId: id,
        idOption,
        idRevision,
        amount,
        returnUrl: returnAddress(pathOf('account-products')).href,
        policyValidation: true,
        parentalProof,
        ...(method && sentMethod(method)),
      }),
  )
  if (changed === null) return
  const { payment } = changed
  if (payment === null) {
    await askProductsAnew(queries)
    notify({ text: pageWords().t('products.changeNoted', { title }) })
  } else if (payment.action === null) await sayOutcome(queries, payment.orderId)
  else leaveFor(payment.action)
}

/** Revokes the scheduled change of a subscription to another plan. */
export async function keepPlan(queries: QueryClient, { id, title }: Subscription): Promise<void> {
  const kept = await withParentalCode(
    async (parentalProof) => await call(undoChange, { subscriptionId: id, parentalProof }),
  )
  if (kept === null) return
  await askProductsAnew(queries)
  if (kept.next.step !== 'ends') notify({ text: pageWords().t('products.kept', { title }) })
}

/**
 * Shows the viewer how a payment ended.
 *
 * @param hasLeft whether the viewer left the payment page without paying
 */
export async function sayOutcome(queries: QueryClient, orderId: number, hasLeft = false): Promise<void> {
  const { t } = pageWords()
  const { orderStatus } = await call(checkOrderStatus, { orderId })
  await askProductsAnew(queries)
  notify({ text: t(`products.${outcomeOf(orderStatus, hasLeft)}`) })
}

function outcomeOf(state: OrderState, hasLeft: boolean): 'paid' | 'left' | 'underWay' | 'notPaid' {
  if (state === 'executed') return 'paid'
  if (state === 'submitted' && hasLeft) return 'left'
  return state === 'submitted' || state === 'to_execute' ? 'underWay' : 'notPaid'
}
