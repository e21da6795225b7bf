import { DEFAULT_BILLING_PROVIDER } from '@ondine/contract/orders'
import {
  cancelSubscription,
  payRenewal,
  resumeSubscription,
  type Subscription,
} from '@ondine/contract/subscriptions'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { modal } from '../../modals/modal.ts'
import { dateText } from '../../words/dates.ts'
import { pageWords } from '../../words/fetch-words.ts'
import type { Place } from '../../words/format.ts'
import { pathOf } from '../links/content-link.ts'
import { notify } from '../notices/notice.ts'
import { withParentalCode } from '../parental/ask-code.ts'
import { askProductsAnew } from './queries.ts'

/** Cancels a subscription, when the viewer is sure. Says until when it plays. */
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
  notify({ text: t('products.cancelled', { title }) })
}

/** Takes back the cancellation of a subscription. */
export async function resumePlan(queries: QueryClient, { id, title }: Subscription): Promise<void> {
  const resumed = await withParentalCode(
    async (parentalProof) => await call(resumeSubscription, { subscriptionId: id, parentalProof }),
  )
  if (resumed === null) return
  await askProductsAnew(queries)
  notify({ text: pageWords().t('products.resumed', { title }) })
}

/** Leads to the page on which a renewal is paid. It leads back here, with the order in the address. */
export async function payPlan(queries: QueryClient, { id }: Subscription): Promise<void> {
  const asked = await withParentalCode(
    async (parentalProof) =>
      await call(payRenewal, {
        subscriptionId: id,
        returnUrl: new URL(pathOf('account-products'), location.href).href,
        paymentData: JSON.stringify({ brandBillingProviderId: DEFAULT_BILLING_PROVIDER }),
        parentalProof,
      }),
  )
  if (asked === null) return
  if (asked.action !== null) location.assign(asked.action)
  else await askProductsAnew(queries)
}
