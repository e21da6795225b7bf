import type { JWT } from 'google-auth-library'
import * as z from 'zod'
import { ServiceError } from '../../../http/errors.ts'
import type { StoreStatement } from './store-statement.ts'

/** Settings for calling Google and for verifying its notices. */
export interface GooglePlayOptions {
  packageName: string
  /** Credentials of the service account that may read the app's purchases. */
  email: string
  privateKey: string
  /**
   * Expected claims of the tokens in notices: the audience, and the e-mail address of the sending service account.
   */
  notices: { audience: string; email: string }
  /** Origin that replaces Google's origins, for tests. */
  base?: string | undefined
}

/** A purchase to query at Google. */
export interface GooglePurchase {
  token: string
  productId: string
  isSubscription: boolean
}

/** State of a purchase at Google. */
export interface GoogleAnswer {
  statement: StoreStatement
  /** Ids of the purchase's orders, without the renewal number. */
  orderIds: string[]
  /**
   * Whether the purchase is not acknowledged yet. Google refunds a purchase that is not acknowledged within three
   * days.
   */
  isUnacknowledged: boolean
}

/** Content of a notice: a changed purchase to query, or a refunded order. */
export type GoogleNotice =
  | { kind: 'changed'; purchase: GooglePurchase }
  | { kind: 'voided'; token: string; orderId: string }

const API = 'https://androidpublisher.googleapis.com'
const SCOPE = 'https://www.googleapis.com/auth/androidpublisher'
/** Timeout of requests to Google, in milliseconds. It is short, because customers wait for the result. */
const TIMEOUT_MS = 10_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * After the end of a period, Google may report the renewal late. Until `atMost` after the end, Google is queried
 * again every `again`. Both in milliseconds.
 */
const RENEWAL = { again: 10 * MINUTE_MS, atMost: 3 * HOUR_MS }

/** States in which a subscription gives access until its end. */
const PLAYING = [
  'SUBSCRIPTION_STATE_ACTIVE',
  'SUBSCRIPTION_STATE_CANCELED',
  'SUBSCRIPTION_STATE_IN_GRACE_PERIOD',
]
/** States before the first payment. */
const PENDING = ['SUBSCRIPTION_STATE_PENDING', 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED']

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

/** Used fields of `purchases.subscriptionsv2`. */
const subscriptionPurchase = z.object({
  subscriptionState: z.string(),
  startTime: time.optional(),
  latestOrderId: z.string().optional(),
  linkedPurchaseToken: z.string().optional(),
  acknowledgementState: z.string().optional(),
  lineItems: z
    .array(
      z.object({
        productId: z.string(),
        expiryTime: time.optional(),
        latestSuccessfulOrderId: z.string().optional(),
        autoRenewingPlan: z.object({ autoRenewEnabled: z.boolean().optional() }).optional(),
      }),
    )
    .default([]),
})

/** Used fields of `purchases.products`, for one-time purchases. */
const productPurchase = z.object({
  /** 0 purchased, 1 canceled, 2 pending. */
  purchaseState: z.int(),
  purchaseTimeMillis: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  orderId: z.string().optional(),
  /** 0 not acknowledged yet, 1 acknowledged. */
  acknowledgementState: z.int().optional(),
})

/** Push message of Pub/Sub, with the notice as base64 in `data`. */
const pushed = z.object({ message: z.object({ data: z.base64() }) })
const notice = z.object({
  packageName: z.string(),
  subscriptionNotification: z.object({ purchaseToken: z.string(), subscriptionId: z.string() }).optional(),
  oneTimeProductNotification: z.object({ purchaseToken: z.string(), sku: z.string() }).optional(),
  voidedPurchaseNotification: z
    // 1: fully refunded; 2: partly refunded.
    .object({ purchaseToken: z.string(), orderId: z.string(), refundType: z.int().default(1) })
    .optional(),
})

/** Queries purchases at Google Play, and reads its notices (real-time developer notifications). */
export class GooglePlay {
  readonly #options: GooglePlayOptions
  #client: Promise<JWT> | undefined

  constructor(options: GooglePlayOptions) {
    this.#options = options
  }

  /**
   * Returns the state of a purchase.
   *
   * @param now milliseconds since the Unix epoch
   * @returns undefined if Google does not know the purchase, or if the purchase is not paid
   * @throws ServiceError paymentProviderSilent if Google does not answer
   */
  async read(purchase: GooglePurchase, now: number): Promise<GoogleAnswer | undefined> {
    const { token, productId, isSubscription } = purchase
    const path = isSubscription
      ? `subscriptionsv2/tokens/${encodeURIComponent(token)}`
      : `products/${encodeURIComponent(productId)}/tokens/${encodeURIComponent(token)}`
    const body = await this.#ask('GET', path)
    if (body === undefined) return undefined
    return isSubscription
      ? readSubscription(token, subscriptionPurchase.parse(body), now)
      : readProduct(purchase, productPurchase.parse(body), now)
  }

  /**
   * Confirms to Google that the buyer has received the purchase. The buyer can then buy a one-time product again.
   */
  async acknowledge({ token, productId, isSubscription }: GooglePurchase): Promise<void> {
    const [collection, verb] = isSubscription ? ['subscriptions', 'acknowledge'] : ['products', 'consume']
    await this.#ask(
      'POST',
      `${collection}/${encodeURIComponent(productId)}/tokens/${encodeURIComponent(token)}:${verb}`,
    )
  }

  /**
   * Verifies a notice and returns its content.
   *
   * @returns undefined if the notice is forged, or belongs to another app; null if it is not about a purchase
   * @throws ServiceError paymentProviderSilent if Google's keys cannot be read
   */
  async readNotice(authorization: unknown, body: string): Promise<GoogleNotice | null | undefined> {
    if (!(await this.#isOfGoogle(authorization))) return undefined
    const read = pushed.safeParse(parsed(body))
    const told = read.success
      ? notice.safeParse(parsed(Buffer.from(read.data.message.data, 'base64').toString()))
      : undefined
    if (!told?.success || told.data.packageName !== this.#options.packageName) return undefined
    const { subscriptionNotification, oneTimeProductNotification, voidedPurchaseNotification } = told.data
    if (subscriptionNotification) {
      const { purchaseToken: token, subscriptionId: productId } = subscriptionNotification
      return { kind: 'changed', purchase: { token, productId, isSubscription: true } }
    }
    if (oneTimeProductNotification) {
      const { purchaseToken: token, sku: productId } = oneTimeProductNotification
      return { kind: 'changed', purchase: { token, productId, isSubscription: false } }
    }
    if (voidedPurchaseNotification?.refundType === 1) {
      const { purchaseToken: token, orderId } = voidedPurchaseNotification
      return { kind: 'voided', token, orderId }
    }
    return null
  }

  /**
   * Returns whether the bearer token of a notice is valid. Google must have signed the token for this service, and
   * the token must belong to the service account that sends the notices.
   */
  async #isOfGoogle(authorization: unknown): Promise<boolean> {
    const idToken = /^Bearer (\S+)$/i.exec(typeof authorization === 'string' ? authorization : '')?.[1]
    if (idToken === undefined) return false
    const client = await this.#open()
    const { audience, email } = this.#options.notices
    try {
      await client.getFederatedSignonCertsAsync()
    } catch (error) {
      throw new ServiceError('paymentProviderSilent', null, { cause: error })
    }
    try {
      const payload = (await client.verifyIdToken({ idToken, audience })).getPayload()
      return payload?.email === email && payload.email_verified === true
    } catch {
      // The library throws plain errors for forged tokens, so every error counts as a forged token.
      return false
    }
  }

  /**
   * Sends a request to Google. @returns the body of the response; undefined if Google does not know the purchase
   */
  async #ask(method: 'GET' | 'POST', path: string): Promise<unknown> {
    const client = await this.#open()
    const url = `${API}/androidpublisher/v3/applications/${this.#options.packageName}/purchases/${path}`
    let status: number
    let data: unknown
    try {
      ;({ status, data } = await client.request<unknown>({
        method,
        url,
        retry: false,
        validateStatus: () => true,
      }))
    } catch (error) {
      throw new ServiceError('paymentProviderSilent', null, { cause: error })
    }
    if (status < 300) return data
    if (status === 400 || status === 404 || status === 410) return undefined
    const cause = new Error(`Google answers ${status}.`)
    if (status === 401 || status === 403) throw new Error('Google refuses GOOGLE_SERVICE_ACCOUNT.', { cause })
    throw new ServiceError('paymentProviderSilent', null, { cause })
  }

  async #open(): Promise<JWT> {
    this.#client ??= this.#make()
    return await this.#client
  }

  async #make(): Promise<JWT> {
    const { JWT } = await import('google-auth-library')
    const { email, privateKey, base } = this.#options
    const client = new JWT({
      email,
      key: privateKey,
      scopes: [SCOPE],
      transporterOptions: { timeout: TIMEOUT_MS },
    })
    if (base !== undefined)
      // The library has no setting for the address of the token endpoint, so the origin of every request is replaced.
      client.transporter.interceptors.request.add({
        resolved: async (config) => ({
          ...config,
          url: new URL(config.url.pathname + config.url.search, base),
        }),
      })
    return client
  }
}

function readSubscription(
  token: string,
  purchase: z.output<typeof subscriptionPurchase>,
  now: number,
): GoogleAnswer | undefined {
  const { subscriptionState: state, startTime, lineItems, latestOrderId } = purchase
  if (startTime === undefined || PENDING.includes(state)) return undefined
  const plays = PLAYING.includes(state)
  const transactions = lineItems.flatMap(({ productId, expiryTime, latestSuccessfulOrderId }) => {
    const reference = latestSuccessfulOrderId ?? latestOrderId
    if (reference === undefined || expiryTime === undefined) return []
    // Google reports when the subscription began, but not when it was renewed. So a renewal starts now.
    const startsAt = orderOf(reference) === reference ? startTime : now
    return [{ reference, productId, startsAt, endsAt: plays ? expiryTime : Math.min(expiryTime, now) }]
  })
  const renews = lineItems.some(({ autoRenewingPlan }) => autoRenewingPlan?.autoRenewEnabled === true)
  const end = Math.max(0, ...transactions.map(({ endsAt }) => endsAt))
  const isOver = state === 'SUBSCRIPTION_STATE_EXPIRED'
  const mayRenew = plays && now < end + RENEWAL.atMost
  return {
    statement: {
      store: 'google',
      purchase: token,
      replaces: purchase.linkedPurchaseToken,
      saidAt: now,
      renews,
      transactions,
      checkAt: isOver ? null : mayRenew ? Math.max(end, now) + RENEWAL.again : now + DAY_MS,
    },
    orderIds: transactions.map(({ reference }) => orderOf(reference)),
    isUnacknowledged: purchase.acknowledgementState === 'ACKNOWLEDGEMENT_STATE_PENDING',
  }
}

function readProduct(
  { token, productId }: GooglePurchase,
  { purchaseState, purchaseTimeMillis, orderId, acknowledgementState }: z.output<typeof productPurchase>,
  now: number,
): GoogleAnswer | undefined {
  if (purchaseState > 1) return undefined
  const reference = orderId ?? token
  return {
    statement: {
      store: 'google',
      purchase: token,
      saidAt: now,
      renews: false,
      transactions: [
        {
          reference,
          productId,
          startsAt: purchaseTimeMillis,
          endsAt: null,
          revokedAt: purchaseState === 1 ? now : undefined,
        },
      ],
      checkAt: null,
    },
    orderIds: [reference],
    isUnacknowledged: purchaseState === 0 && acknowledgementState === 0,
  }
}

/** Returns an order id without its renewal number, such as `GPA.1-2-3` for `GPA.1-2-3..4`. */
export function orderOf(reference: string): string {
  return reference.replace(/\.\.\d+$/, '')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
