import { DEFAULT_BILLING_PROVIDER, type PaymentMethod } from '@ondine/contract/orders'
import * as z from 'zod'
import type { Database } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { PaymentProvider } from '../payments/payment-provider.ts'
import { type PaymentProviders, type SavedMethod, savedMethods } from '../payments/payments.service.ts'
import type { Buyer } from './cart.service.ts'
import type { Subscription, SubscriptionPeriod } from './subscription-periods.ts'

/** Name of the payment method for a new card. */
const NEW = 'new'
const SAVED = /^saved-([1-9]\d{0,8})$/

/** Fields of a call that name a payment method (A7.1-30). */
export interface SentMethod {
  paymentData?: string | undefined
  paymentProvider?: string | undefined
  paymentBrand?: string | undefined
  paymentMethod?: string | undefined
}

/** A requested payment method. It is not checked yet whether the saved card exists. */
export interface AskedMethod {
  provider: PaymentProvider
  /** The saved card; undefined for a new card, which the customer enters on the provider's page. */
  saved: { id: number; brand: string | undefined } | undefined
}

/** A payment method whose saved card exists. */
export interface ChosenMethod {
  provider: PaymentProvider
  /** The saved card; undefined for a new card, which the customer enters on the provider's page. */
  saved: SavedMethod | undefined
}

interface Parts {
  db: Database
  providers: PaymentProviders
}

/**
 * Returns the payment methods of an account: its saved cards, the most recently used first, then entering a new
 * card at each provider.
 */
export async function listMethods({ db, providers }: Parts, accountId: number): Promise<PaymentMethod[]> {
  const saved = await savedMethods(db, accountId)
  return [
    ...saved.flatMap(({ id, provider: name, brand, lastDigits, lastUsedAt }) => {
      const provider = providers.get(name)
      if (!provider) return []
      return [
        {
          ...presentProvider(provider),
          paymentBrand: brand,
          paymentMethod: `saved-${id}`,
          label: `•••• ${lastDigits}`,
          lastUsage: Math.floor(lastUsedAt / 1000),
        },
      ]
    }),
    ...[...providers.values()].map((provider) => ({
      ...presentProvider(provider),
      paymentBrand: 'card',
      paymentMethod: NEW,
      label: null,
      lastUsage: null,
    })),
  ]
}

function presentProvider({ name, brandBillingProviderId, openDashboard }: PaymentProvider) {
  return { paymentProvider: name, brandBillingProviderId, hasDashboard: openDashboard !== undefined }
}

const paymentData = z.object({ brandBillingProviderId: z.int().default(DEFAULT_BILLING_PROVIDER) })

/**
 * Reads the sent payment method. Returns undefined if no method was sent, which is valid if nothing is due.
 *
 * @throws ServiceError paymentDataInvalid for a method that cannot exist
 */
export function readMethod(providers: PaymentProviders, sent: SentMethod): AskedMethod | undefined {
  if (sent.paymentData === undefined || sent.paymentData === '') return undefined
  const { brandBillingProviderId } = readPaymentData(sent.paymentData)
  const provider = [...providers.values()].find(
    (each) => each.brandBillingProviderId === brandBillingProviderId,
  )
  const { paymentProvider = provider?.name, paymentMethod = NEW, paymentBrand } = sent
  if (!provider || paymentProvider !== provider.name) throw new ServiceError('paymentDataInvalid')
  if (paymentMethod === NEW) {
    if (paymentBrand !== undefined && paymentBrand !== 'card') throw new ServiceError('paymentDataInvalid')
    return { provider, saved: undefined }
  }
  return { provider, saved: { id: Number(SAVED.exec(paymentMethod)?.[1] ?? 0), brand: paymentBrand } }
}

/**
 * Finds the requested payment method among the saved cards of the account.
 *
 * @throws ServiceError paymentDataInvalid for an unknown card
 */
export function findMethod(
  asked: AskedMethod | undefined,
  cards: readonly SavedMethod[],
): ChosenMethod | undefined {
  if (asked?.saved === undefined) return asked && { provider: asked.provider, saved: undefined }
  const { provider } = asked
  const { id, brand } = asked.saved
  const saved = cards.find((each) => each.id === id)
  const isRight = saved?.provider === provider.name && (brand ?? saved.brand) === saved.brand
  if (!isRight) throw new ServiceError('paymentDataInvalid')
  return { provider, saved }
}

/**
 * Reads the sent payment method and finds it among the saved cards of the account.
 *
 * @throws the errors of {@link readMethod} and {@link findMethod}
 */
export async function chooseMethod(
  { db, providers }: Parts,
  accountId: number,
  sent: SentMethod,
): Promise<ChosenMethod | undefined> {
  const asked = readMethod(providers, sent)
  return findMethod(asked, asked?.saved ? await savedMethods(db, accountId) : [])
}

/**
 * Returns the payment method of a trial, which is charged at its end. If the operator's settings demand a card and the
 * customer chose none, this is the saved card that was used last.
 *
 * @returns undefined for a trial without a card, which ends without a charge
 * @throws ServiceError paymentDataMissing if no card was chosen and no saved card can be charged;
 * paymentDataInvalid if the chosen saved card cannot be charged
 */
export function cardForTrial(
  providers: PaymentProviders,
  { sells, now }: Pick<Buyer, 'sells' | 'now'>,
  { method, cards }: { method: ChosenMethod | undefined; cards: readonly SavedMethod[] },
): ChosenMethod | undefined {
  if (method?.saved && !canPay(method.saved, providers, now)) throw new ServiceError('paymentDataInvalid')
  if (method !== undefined || !sells.isCardAskedForTrial) return method
  const saved = cards.find((card) => canPay(card, providers, now))
  const provider = saved && providers.get(saved.provider)
  if (provider === undefined) throw new ServiceError('paymentDataMissing')
  return { provider, saved }
}

/**
 * Returns the card to charge for a subscription. First choice is the card that paid last, if it can be charged.
 * Second is the last used card that can be charged. If no card can be charged, third is the card that paid last, and
 * fourth the last used card, although the bank or provider will decline them. A declined period whose subscription
 * has no card is retried with the last used card, as its customer was told: such subscriptions began before the cards
 * were recorded.
 *
 * @param due the period that waits for payment
 * @param saved cards of the account, the last used card first
 * @param now milliseconds since the Unix epoch
 * @returns undefined for a subscription for which the customer has chosen no card, or has removed all cards
 */
export function cardToCharge(
  {
    subscription: { methodId },
    due,
  }: { subscription: Pick<Subscription, 'methodId'>; due: Pick<SubscriptionPeriod, 'declinedAt'> | null },
  saved: readonly SavedMethod[],
  providers: PaymentProviders,
  now: number,
): SavedMethod | undefined {
  if (methodId === null && (due?.declinedAt ?? null) === null) return undefined
  const own = saved.find(({ id }) => id === methodId)
  if (own && canPay(own, providers, now)) return own
  return saved.find((card) => canPay(card, providers, now)) ?? own ?? saved[0]
}

/** Returns whether a saved card can be charged: it has not expired, and its provider is enabled. */
export function canPay(
  { provider, expiresAt }: SavedMethod,
  providers: PaymentProviders,
  now: number,
): boolean {
  return providers.has(provider) && (expiresAt === null || expiresAt > now)
}

function readPaymentData(written: string): z.output<typeof paymentData> {
  try {
    return paymentData.parse(JSON.parse(written))
  } catch (error) {
    throw new ServiceError('paymentDataInvalid', null, { cause: error })
  }
}
