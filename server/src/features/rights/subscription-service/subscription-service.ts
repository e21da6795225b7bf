/** Data of an account that the subscription service needs for a customer. */
export interface ServiceCustomer {
  email: string
  /** Id of the account in this installation. */
  accountId: number
  /** ISO 639 three-letter code. */
  language: string
  /** ISO 3166-1 alpha-2. */
  country: string
  /** IP address of the customer when a checkout is opened; undefined for queries of subscriptions. */
  ip: string | undefined
}

/** Session of a customer at the subscription service (A5-30). No field is empty. */
export interface ServiceSession {
  jwt: string
  refreshToken: string
  customerId: string
}

/** A subscription of a customer that gives access. Times are milliseconds since the Unix epoch. */
export interface ServiceSubscription {
  /** Id of the subscription at the service. */
  reference: string
  /** Ids of the subscription's offer, with and without a country suffix. */
  offerIds: readonly string[]
  /** Whether the subscription was cancelled, so that it does not renew. */
  isCancelled: boolean
  from: number
  to: number
}

/** Thrown when the service does not respond, or its response is unusable. */
export class ServiceSilent extends Error {
  override name = 'ServiceSilent'
}

/** Third-party service that sells subscriptions: it has its own prices, payments, renewals and receipts (spec 37). */
export interface SubscriptionService {
  /** Id of the operator's account at the service. */
  publisherId: string
  /** Address of the service's checkout page. */
  checkoutUrl: string
  /** Signs a customer in. Creates the customer first if the service does not know it. @throws ServiceSilent */
  openSession(customer: ServiceCustomer): Promise<ServiceSession>
  /** Returns the subscriptions of a session's customer. @throws ServiceSilent */
  subscriptionsOf(session: ServiceSession): Promise<ServiceSubscription[]>
}
