/** Somebody whom the subscription service is to know. */
export interface ServiceCustomer {
  email: string
  /** The account here. */
  accountId: number
  /** Three letters. */
  language: string
  /** ISO 3166-1 alpha-2. */
  country: string
  /** Where the customer is; undefined when the customer does not ask. */
  ip: string | undefined
}

/** A sign-in at the subscription service (A5-30). No part is empty. */
export interface ServiceSession {
  jwt: string
  refreshToken: string
  customerId: string
}

/** A subscription that a customer has there and may use. Times are milliseconds since the Unix epoch. */
export interface ServiceSubscription {
  /** The service's id of it. */
  reference: string
  /** All names by which the service may call its offer. */
  offerIds: readonly string[]
  /** Whether it does not renew. */
  isCancelled: boolean
  from: number
  to: number
}

/** The service gave no answer, or none that can be used. */
export class ServiceSilent extends Error {
  override name = 'ServiceSilent'
}

/** Sells subscriptions by itself: prices, payments, renewals and receipts are its own (spec decision 37). */
export interface SubscriptionService {
  /** The operator's account there. */
  publisherId: string
  /** The page on which people buy. */
  checkoutUrl: string
  /** Signs a customer in, who is made when the service does not know them. @throws ServiceSilent */
  openSession(customer: ServiceCustomer): Promise<ServiceSession>
  /** What the customer of a session holds. @throws ServiceSilent */
  subscriptionsOf(session: ServiceSession): Promise<ServiceSubscription[]>
}
