import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import type { CheckedFetch } from '../../../outbound/fetch-checked.ts'
import {
  type ServiceCustomer,
  type ServiceSession,
  ServiceSilent,
  type ServiceSubscription,
  type SubscriptionService,
} from './subscription-service.ts'

/** Timeout of requests to Cleeng, in milliseconds. It is short, because customers wait for the result. */
const TIMEOUT_MS = 10_000

/** HTTP statuses with which Cleeng reports an unknown customer. */
const UNKNOWN: ReadonlySet<number> = new Set([404, 422])

const MS = 1000

/** Settings of this installation at Cleeng. */
export interface CleengSettings {
  base: string
  publisherId: string
  publisherToken: string
  checkoutUrl: string
}

const filled = z.string().min(1)
const identifier = z.union([filled, z.int().positive()]).transform(String)

const signedIn = z.object({
  responseData: z.object({
    jwt: filled,
    refreshToken: filled,
    customerId: identifier.optional(),
  }),
})

const claims = z.object({ customerId: identifier })

/** A time in seconds since the Unix epoch. Times after the year 5138 are invalid. */
const seconds = z.number().min(0).max(100_000_000_000)

const heldOffers = z.object({
  responseData: z.object({
    items: z.array(
      z.object({
        offerId: filled,
        status: z.string(),
        expiresAt: seconds,
        startedAt: seconds.nullish(),
        subscriptionId: identifier.nullish(),
      }),
    ),
  }),
})

/** Statuses of subscriptions that give access. The value is whether a subscription with this status renews. */
const RENEWS: Readonly<Record<string, boolean>> = { active: true, active_trial: true, cancelled: false }

/**
 * Client of Cleeng's MediaStore API: SSO login, customers, and offers of a customer
 * (https://developers.cleeng.com/reference/sso-login, …/fetch-customers-offers).
 */
export class CleengService implements SubscriptionService {
  readonly publisherId: string
  readonly checkoutUrl: string
  readonly #base: string
  readonly #token: string
  readonly #fetch: CheckedFetch

  constructor({ base, publisherId, publisherToken, checkoutUrl }: CleengSettings, fetch: CheckedFetch) {
    this.publisherId = publisherId
    this.checkoutUrl = checkoutUrl
    this.#base = base.replace(/\/+$/, '')
    this.#token = publisherToken
    this.#fetch = fetch
  }

  async openSession(customer: ServiceCustomer): Promise<ServiceSession> {
    const known = await this.#signIn(customer)
    if (known) return known
    await this.#register(customer)
    const made = await this.#signIn(customer)
    if (!made) throw new ServiceSilent('Cleeng does not know the customer that it has just created.')
    return made
  }

  async subscriptionsOf({ jwt, customerId }: ServiceSession): Promise<ServiceSubscription[]> {
    const path = `/customers/${encodeURIComponent(customerId)}/offers`
    const { status, body } = await this.#ask('GET', path, { authorization: `Bearer ${jwt}` })
    if (status !== 200) throw new ServiceSilent(`Cleeng answered ${status} to ${path}.`)
    return read(heldOffers, body).responseData.items.flatMap((item) => {
      const { offerId, subscriptionId, startedAt, expiresAt } = item
      const renews = Object.hasOwn(RENEWS, item.status) ? RENEWS[item.status] : undefined
      if (renews === undefined) return []
      return {
        reference: subscriptionId ?? offerId,
        // If an offer has prices per country, its id may end with a country code: S123456789_FR.
        offerIds: [...new Set([offerId, offerId.replace(/_[A-Z]{2}$/, '')])],
        isCancelled: !renews,
        from: Math.floor((startedAt ?? 0) * MS),
        to: Math.floor(expiresAt * MS),
      }
    })
  }

  /** Signs a customer in. @returns undefined if Cleeng does not know the customer */
  async #signIn({ email, ip }: ServiceCustomer): Promise<ServiceSession | undefined> {
    const fields = { email, ...(ip !== undefined && { customerIP: ip }) }
    const { status, body } = await this.#ask('POST', '/sso/auths', this.#publisher(), fields)
    if (UNKNOWN.has(status)) return undefined
    if (status !== 200 && status !== 201) throw new ServiceSilent(`Cleeng answered ${status} to the sign-in.`)
    const { jwt, refreshToken, customerId } = read(signedIn, body).responseData
    return { jwt, refreshToken, customerId: customerId ?? customerOf(jwt) }
  }

  async #register({ email, accountId, language, country, ip }: ServiceCustomer): Promise<void> {
    const { status } = await this.#ask('POST', '/customers', this.#publisher(), {
      email,
      publisherId: this.publisherId,
      externalId: String(accountId),
      locale: language === 'fra' ? 'fr_FR' : 'en_US',
      country,
      currency: 'EUR',
      // Cleeng requires a password. This random password is never used.
      password: randomBytes(24).toString('base64url'),
      ...(ip !== undefined && { customerIP: ip }),
    })
    // Status 422 may mean that a concurrent call has created the same customer. The next sign-in shows whether the
    // customer exists.
    if (status === 422 || (status >= 200 && status < 300)) return
    throw new ServiceSilent(`Cleeng answered ${status} to a new customer.`)
  }

  #publisher(): Record<string, string> {
    return { 'x-publisher-token': this.#token }
  }

  async #ask(
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    fields?: Record<string, string>,
  ): Promise<{ status: number; body: unknown }> {
    try {
      const response = await this.#fetch(`${this.#base}${path}`, {
        method,
        headers: {
          accept: 'application/json',
          ...headers,
          ...(fields && { 'content-type': 'application/json' }),
        },
        ...(fields && { body: JSON.stringify(fields) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const text = await response.text()
      return { status: response.status, body: response.ok ? JSON.parse(text) : undefined }
    } catch (cause) {
      throw new ServiceSilent('Cleeng does not answer.', { cause })
    }
  }
}

function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  // Name only the wrong fields: their values are secret.
  const fields = parsed.error.issues.map(({ path }) => path.join('.'))
  throw new ServiceSilent(`Cleeng’s answer cannot be used: ${fields.join(', ')}.`)
}

/**
 * Returns the id of the customer in a token. The signature need not be checked, because the token came directly
 * from Cleeng over https.
 */
function customerOf(jwt: string): string {
  try {
    const payload: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
    return claims.parse(payload).customerId
  } catch {
    throw new ServiceSilent('Cleeng’s token names no customer.')
  }
}
