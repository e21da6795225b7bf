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
import { amountText, centsOf } from '../../../words/money.ts'
import { configurationOf } from '../../ground/configuration/configuration-query.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { returnAddress } from '../../ground/links/return-address.ts'
import { notify } from '../../ground/notices/notice.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'
import { purchased } from '../offers/purchased.ts'
import { watchPayment } from '../orders/watch-payment.ts'
import { paymentMethodsQuery } from '../payments/payment-methods-query.ts'
import { brandName, newCard } from '../payments/saved-methods.ts'
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

/** Returns whether a subscription ends instead of its next charge until a card is chosen for it. */
export function needsCard({ isCardChosen, next }: Pick<Subscription, 'isCardChosen' | 'next'>): boolean {
  return !isCardChosen && centsOf(next.amount) > 0
}

/**
 * Revokes the cancellation of a subscription. If it has no card, the viewer chooses one first. A new card is entered on
 * the payment page, which sends the viewer back to this screen.
 */
export async function resumePlan(
  queries: QueryClient,
  subscription: Subscription,
  place: Place,
): Promise<void> {
  const { id, title } = subscription
  const card = needsCard(subscription) ? await chooseCard(queries, subscription, place) : undefined
  if (card === null) return
  const returnUrl = returnAddress(pathOf('account-products'))
  returnUrl.searchParams.set('card', '1')
  const resumed = await withParentalCode(
    async (parentalProof) =>
      await call(resumeSubscription, {
        subscriptionId: id,
        parentalProof,
        ...(card && { returnUrl: returnUrl.href, ...sentMethod(card) }),
      }),
  )
  if (resumed === null) return
  const { payment } = resumed
  if (payment !== null) {
    if (payment.action !== null) leaveFor(payment.action)
    else await sayOutcome(queries, payment.orderId, { savesCard: true })
    return
  }
  await askProductsAnew(queries)
  // Without a card, the subscription ends all the same. The screen says so.
  if (resumed.next.step !== 'ends') notify({ text: pageWords().t('products.resumed', { title }) })
}

/** Asks for the card of a subscription, and says when it is charged. @returns null if the viewer chooses none */
async function chooseCard(
  queries: QueryClient,
  { next }: Subscription,
  place: Place,
): Promise<PaymentMethod | null> {
  const { t } = pageWords()
  const methods = await queries.fetchQuery(paymentMethodsQuery)
  const chosen = await modal.open('payment', {
    title: '',
    // Without a method, the dialog says so itself.
    description:
      methods.length === 0
        ? ''
        : t('products.dueLater', {
            date: dateText(next.at, place),
            amount: amountText(next.amount, place.language),
          }),
    methods: methods.map(({ paymentBrand, label }, at) => ({
      id: at,
      name: label === null ? t('cart.newCard') : `${brandName(paymentBrand)} ${label}`,
    })),
  })
  return chosen === null ? null : (methods[chosen] ?? null)
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
  else await sayOutcome(queries, asked.orderId)
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
 * @param onDone called after the service has answered. The plans that are shown then may no longer be possible
 */
export async function changePlan(
  queries: QueryClient,
  { id }: Subscription,
  { idOption, idRevision, amount, title }: PlanChange,
  method: PaymentMethod | undefined,
  onDone: () => void,
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
  onDone()
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

/** An order, as described by the address to which the payment page sends the viewer back. */
export interface PaymentReturn {
  /** Whether the viewer left the payment page without paying. */
  hasLeft?: boolean
  /** Whether the payment only saves a card for a subscription. */
  savesCard?: boolean
}

/**
 * Shows the viewer how a payment ended, and reports a purchase. If the bank still processes the payment, says so, and
 * again how it ended.
 */
export async function sayOutcome(
  queries: QueryClient,
  orderId: number,
  { hasLeft = false, savesCard = false }: PaymentReturn = {},
): Promise<void> {
  const check = async () => (await call(checkOrderStatus, { orderId })).orderStatus
  const say = async (state: OrderState) => {
    if (state === 'executed' && !savesCard) await purchased(queries, { orderId })
    else await askProductsAnew(queries)
    const outcome = outcomeOf(state, hasLeft)
    notify({ text: pageWords().t(`products.${savesCard ? CARD_OUTCOMES[outcome] : outcome}`) })
  }
  const state = await check()
  await say(state)
  if (outcomeOf(state, hasLeft) !== 'underWay') return
  watchPayment({
    check,
    isClosed: () => false,
    onEnd: (end) => {
      // Only a payment window can be closed.
      if (end !== 'closed') void say(end)
    },
    onFault: reportFault,
  })
}

/** The texts about a payment that only saves a card. */
const CARD_OUTCOMES = {
  paid: 'cardSaved',
  left: 'left',
  underWay: 'underWay',
  notPaid: 'cardNotSaved',
} as const

function outcomeOf(state: OrderState, hasLeft: boolean): keyof typeof CARD_OUTCOMES {
  if (state === 'executed') return 'paid'
  if (state === 'submitted' && hasLeft) return 'left'
  return state === 'submitted' || state === 'to_execute' ? 'underWay' : 'notPaid'
}
