import type { Language } from '@ondine/contract/languages'

/** A request to a provider for a payment. */
export interface PaymentRequest {
  /** Idempotency key. A repeated request with the same key is the same payment. */
  key: string
  /**
   * Whole euro cents, VAT included. A request for 0 cents charges nothing and saves a card (docs/decisions/0061).
   */
  cents: number
  description: string
  language: Language
  /** Address to which the provider's page returns the customer. */
  returnUrl: string
  /** Identifies the account at the provider, which saves cards under this id. */
  customer: string
  /**
   * The provider takes no money after this moment. Milliseconds since the Unix epoch, at most
   * `LONGEST_PAYMENT_MS` after the order.
   */
  expiresAt: number
  /** Scheme and host of this site. */
  origin: string
}

/** A card that is saved at a provider. */
export interface ProviderMethod {
  reference: string
  brand: string
  lastDigits: string
  /** When the card expires, in milliseconds since the Unix epoch; null if the provider does not report a date. */
  expiresAt: number | null
}

/** A card in the list of a customer's cards at a provider. */
export interface ListedMethod extends ProviderMethod {
  /** When the card was saved at the provider, in milliseconds since the Unix epoch. */
  savedAt: number
}

/**
 * State of a payment at its provider. An `open` payment waits for the customer; `action` is the address of the
 * payment page, if the payment has a page. A `processing` payment waits for the customer's bank. The other states
 * are final.
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
  /** Whether the customer's bank has taken the money back (a chargeback), and the dispute is not won. */
  isTakenBack: boolean
}
/** Request for the page of a provider on which customers manage their cards and payments. */
export type DashboardRequest = Pick<PaymentRequest, 'customer' | 'language' | 'returnUrl'>

/** Headers and body of a payment notice (webhook). */
export interface ReceivedNotice {
  headers: Record<string, unknown>
  body: string
}

/** A genuine notice of a provider. */
export interface VerifiedNotice {
  /** Key of the payment; empty for a payment of another service that uses the same provider. */
  key: string
  /** Whether the notice reports that the customer disputes the payment at the bank (a chargeback). */
  isDispute: boolean
  /** The customer whose saved cards have changed at the provider; undefined if the notice reports no such change. */
  cardsOf?: string | undefined
}

/**
 * A payment service. It knows amounts, but not the goods (docs/decisions/0052). Every method can be repeated:
 * calls with the same `key` are the same request. Each method rejects with `ProviderSilent` if the provider does
 * not answer.
 */
export interface PaymentProvider {
  /** Name of the provider in the database and in addresses. */
  name: string
  /** The provider's number in the API (A3-28). */
  brandBillingProviderId: number
  /**
   * Starts a payment that the customer makes on the provider's page. A payment of 0 cents saves the card that the
   * customer enters.
   */
  start(request: PaymentRequest): Promise<ProviderPayment>
  /**
   * Charges more than 0 cents to a saved card. If the customer's bank requires a second factor, the payment stays
   * open, with the address of a payment page.
   */
  charge(request: PaymentRequest, methodReference: string): Promise<ProviderPayment>
  /** Refunds a succeeded payment in full. */
  refund(key: string): Promise<void>
  /** Returns the state of a payment; undefined when the provider does not know the key. */
  query(key: string): Promise<ProviderPayment | undefined>
  /**
   * Returns the amounts of a payment in the provider's books; undefined when the provider does not know the key.
   * Only reads.
   */
  bookOf(key: string): Promise<ProviderBook | undefined>
  /**
   * Returns the payment that a notice reports; undefined when the notice is forged, altered or too old. Call
   * {@link query} after a notice: the caller must not trust its content. A notice may come late, twice, or after a
   * newer notice.
   *
   * @param now milliseconds since the Unix epoch
   */
  verifyNotice(notice: ReceivedNotice, now: number): Promise<VerifiedNotice | undefined>
  /** Returns the cards that the provider has saved for a customer, if customers can change them there. */
  cardsOf?(customer: string): Promise<ListedMethod[]>
  /** Returns the address of a page for a customer's cards and payments (A7.2-01). Some providers have no such page. */
  openDashboard?(request: DashboardRequest): Promise<string>
}
