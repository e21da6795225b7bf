import type { Language } from '@ondine/contract/languages'

/** A request to a provider for a payment. */
export interface PaymentRequest {
  /** Idempotency key. A repeated request with the same key is the same payment. */
  key: string
  /** Whole euro cents, VAT included. 0 takes no money and saves a card (docs/decisions/0061). */
  cents: number
  description: string
  language: Language
  /** Address to which the provider's page returns the customer. */
  returnUrl: string
  /** Identifies the account at the provider, for its saved cards. */
  customer: string
  /** The provider takes no money after this moment. Milliseconds since the Unix epoch. */
  expiresAt: number
  /** Scheme and host of this site. */
  origin: string
}

/** A card that is saved at a provider. */
export interface ProviderMethod {
  reference: string
  brand: string
  lastDigits: string
  /** When the card expires, in milliseconds since the Unix epoch; null when the provider does not say. */
  expiresAt: number | null
}

/**
 * State of a payment at its provider. `open` waits for the customer, and `action` is the address of the payment page,
 * if there is one. `processing` waits for the customer's bank. The other states are final.
 */
export type ProviderPayment =
  | { state: 'open'; action: string | null }
  | { state: 'processing' }
  | { state: 'failed' }
  | { state: 'succeeded'; paidAt: number; method: ProviderMethod | null }

/** Amounts of a payment in the books of its provider, in cents. */
export interface ProviderBook {
  received: number
  refunded: number
}
/** Request for the page of a provider on which customers manage their cards and payments. */
export type DashboardRequest = Pick<PaymentRequest, 'customer' | 'language' | 'returnUrl'>

/** Headers and body of a payment notice (webhook). */
export interface ReceivedNotice {
  headers: Record<string, unknown>
  body: string
}

/**
 * A service that moves money, without knowledge of the goods (docs/decisions/0052). Every method can be
 * repeated: calls with the same `key` are the same request. Each method rejects with `ProviderSilent` when
 * the provider does not answer.
 */
export interface PaymentProvider {
  /** Name of the provider in the database and in addresses. */
  name: string
  /** A3-28. */
  brandBillingProviderId: number
  /**
   * Starts a payment that the customer makes on the provider's page. A payment of 0 cents saves the card entered there.
   */
  start(request: PaymentRequest): Promise<ProviderPayment>
  /**
   * Charges more than 0 cents to a saved card. If the customer's bank asks for a second factor, the payment is open and
   * has a page.
   */
  charge(request: PaymentRequest, methodReference: string): Promise<ProviderPayment>
  /** Refunds the whole of a payment that has succeeded. */
  refund(key: string): Promise<void>
  /** Returns the state of a payment; undefined when the provider does not know the key. */
  query(key: string): Promise<ProviderPayment | undefined>
  /**
   * Returns the amounts of a payment in the provider's books; undefined when the provider does not know the key.
   * Changes nothing.
   */
  bookOf(key: string): Promise<ProviderBook | undefined>
  /**
   * Returns the key of the payment that a notice is about; undefined when the notice is forged, altered or too old.
   * Call {@link query} after a notice. The content of a notice is not trusted, because a notice may come late, twice,
   * or after a newer notice.
   *
   * @param now milliseconds since the Unix epoch
   */
  verifyNotice(notice: ReceivedNotice, now: number): Promise<string | undefined>
  /** Returns the address of a page for a customer's cards and payments (A7.2-01). Some providers have no such page. */
  openDashboard?(request: DashboardRequest): Promise<string>
}
