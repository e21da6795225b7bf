/** Customer of the subscription service. */
export interface ServiceCustomer {
  email: string
  /** Account in this installation. */
  accountId: number
  /** Three-letter code. */
  language: string
  /** ISO 3166-1 alpha-2. */
  country: string
  /** IP address of the customer; undefined for calls that the customer does not make. */
  ip: string | undefined
}

/** Sign-in at the subscription service (A5-30). No field is empty. */
export interface ServiceSession {
  jwt: string
  refreshToken: string
  customerId: string
}

/** A subscription that a customer has at the service and may use. Times are milliseconds since the Unix epoch. */
export interface ServiceSubscription {
  /** Id of the subscription at the service. */
  reference: string
  /** All ids that the service may use for the offer of the subscription. */
  offerIds: readonly string[]
  /** Whether the subscription does not renew. */
  isCancelled: boolean
  from: number
  to: number
}

/** Thrown when the service gave no answer, or an answer that cannot be used. */
export class ServiceSilent extends Error {
  override name = 'ServiceSilent'
}

/** Third-party service that sells subscriptions: it has its own prices, payments, renewals and receipts (spec 37). */
export interface SubscriptionService {
  /** The operator's account there. */
  publisherId: string
  /** Page on which customers buy. */
  checkoutUrl: string
  /** Signs a customer in. If the service does not know the customer, creates it first. @throws ServiceSilent */
  openSession(customer: ServiceCustomer): Promise<ServiceSession>
  /** Returns the subscriptions of a session's customer. @throws ServiceSilent */
  subscriptionsOf(session: ServiceSession): Promise<ServiceSubscription[]>
}
