import type { Language } from '@ondine/contract/languages'

/** A payment as a provider is asked for it. */
export interface PaymentRequest {
  /** Names the payment. A request that comes again with its key is the same payment. */
  key: string
  /** Whole euro cents, VAT included. 0 takes nothing: it saves a card (docs/decisions/0061). */
  cents: number
  description: string
  language: Language
  /** Where the provider's page leads back to. */
  returnUrl: string
  /** Names the account to the provider, for its saved cards. */
  customer: string
  /** The provider takes no money after this moment. Milliseconds since the Unix epoch. */
  expiresAt: number
  /** Scheme and host of this site. */
  origin: string
}

/** A card that a provider keeps. */
export interface ProviderMethod {
  reference: string
  brand: string
  lastDigits: string
  /** When it can pay no more, in milliseconds since the Unix epoch; null where the provider does not say. */
  expiresAt: number | null
}

/**
 * How a payment stands at its provider. `open` waits for the customer, at `action` where there is a page for it. `processing` waits
 * for the customer's bank. The others are final.
 */
export type ProviderPayment =
  | { state: 'open'; action: string | null }
  | { state: 'processing' }
  | { state: 'failed' }
  | { state: 'succeeded'; paidAt: number; method: ProviderMethod | null }

/** Money of a payment in the books of its provider, in cents. */
export interface ProviderBook {
  received: number
  refunded: number
}
/** What the page of a provider is asked with where customers look after their cards and payments. */
export type DashboardRequest = Pick<PaymentRequest, 'customer' | 'language' | 'returnUrl'>

/** The provider gave no answer: whether it did what it was asked is unknown. */
export class ProviderSilent extends Error {
  override name = 'ProviderSilent'
}

/** Where a provider sends its notices (webhooks). */
export function noticePathOf(provider: string): string {
  return `/payments/${provider}/notices`
}

/** What a payment notice (webhook) came with. */
export interface ReceivedNotice {
  headers: Record<string, unknown>
  body: string
}

/**
 * Moves money, and knows nothing of what is sold (docs/decisions/0052). Every verb can be repeated: `key` makes it the same request.
 * Each rejects with {@link ProviderSilent} when the provider does not answer.
 */
export interface PaymentProvider {
  /** Its name in the database and in addresses. */
  name: string
  /** A3-28. */
  brandBillingProviderId: number
  /** Begins a payment that the customer makes on the provider's page; of 0 cents, one that saves the card that is shown there. */
  start(request: PaymentRequest): Promise<ProviderPayment>
  /** Charges a saved card, more than 0 cents. The customer's bank may ask for a second factor: then the payment is open, with a page. */
  charge(request: PaymentRequest, methodReference: string): Promise<ProviderPayment>
  /** Gives back the whole of a payment that has succeeded. */
  refund(key: string): Promise<void>
  /** Undefined when the provider has never heard of the key. */
  query(key: string): Promise<ProviderPayment | undefined>
  /** What the provider's books say of a payment; undefined when it has never heard of the key. It changes nothing. */
  bookOf(key: string): Promise<ProviderBook | undefined>
  /**
   * The key of the payment that a notice is about; undefined when the notice is forged, changed or too old. A notice is a reason to
   * {@link query}, and nothing else is believed of it: it may come late, twice, or after a newer one.
   *
   * @param now milliseconds since the Unix epoch
   */
  verifyNotice(notice: ReceivedNotice, now: number): Promise<string | undefined>
  /** The address of a page for a customer's cards and payments (A7.2-01). Not every provider has one. */
  openDashboard?(request: DashboardRequest): Promise<string>
}
