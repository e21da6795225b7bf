import type { Configuration, CustomFetch } from 'openid-client'
import type { Clock } from '../../clock.ts'
import { type CheckedFetch, checkedFetch } from '../../outbound/fetch-checked.ts'

/** How long a provider may take, in seconds. */
const PATIENCE_SECONDS = 10

/** How long what a provider says of itself is believed, in milliseconds. */
const KNOWN_MS = 600_000

/** A provider of identities as an operator names it. */
export interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string | undefined
}

/** Knows the providers of identities, each after it was asked once what it can do. */
export class Providers {
  readonly #fetch: CheckedFetch
  readonly #clock: Clock
  readonly #known = new Map<string, { found: Promise<Configuration>; at: number }>()

  constructor(allow: readonly string[], clock: Clock) {
    this.#fetch = checkedFetch(allow)
    this.#clock = clock
  }

  /** @throws what `openid-client` throws for a provider that does not answer, or not as one */
  async of(settings: ProviderSettings): Promise<Configuration> {
    const key = JSON.stringify(settings)
    const known = this.#known.get(key)
    if (known && this.#clock.now() - known.at < KNOWN_MS) return await known.found
    const found = this.#discover(settings)
    this.#known.set(key, { found, at: this.#clock.now() })
    try {
      return await found
    } catch (error) {
      this.#known.delete(key)
      throw error
    }
  }

  async #discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Configuration> {
    const oidc = await import('openid-client')
    return await oidc.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
      {
        timeout: PATIENCE_SECONDS,
        // Both are the fetch of the standard; the types of the library are the browser's.
        [oidc.customFetch]: this.#fetch as unknown as CustomFetch,
        // An operator who names a provider by http has it in its own network.
        ...(issuer.startsWith('http:') ? { execute: [oidc.allowInsecureRequests] } : {}),
      },
    )
  }
}
