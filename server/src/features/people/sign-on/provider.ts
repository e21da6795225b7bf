import type { Configuration, CustomFetch } from 'openid-client'
import type { Clock } from '../../../clock.ts'
import { type CheckedFetch, checkedFetch } from '../../../outbound/fetch-checked.ts'

/** Timeout for a provider, in seconds. */
const PATIENCE_SECONDS = 10

/** How long a provider's metadata is cached, in milliseconds. */
const KNOWN_MS = 600_000

/** An identity provider as configured by an operator. */
export interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string | undefined
}

/** Clients of identity providers. Each provider's metadata is cached for ten minutes. */
export class Providers {
  readonly #fetch: CheckedFetch
  readonly #clock: Clock
  readonly #known = new Map<string, { found: Promise<Configuration>; at: number }>()

  constructor(allow: readonly string[], clock: Clock) {
    this.#fetch = checkedFetch(allow)
    this.#clock = clock
  }

  /**
   * Returns the client of a provider. @throws the error of `openid-client` if the provider does not answer,
   * or answers incorrectly
   */
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
        // Both types describe the standard `fetch`, but the library uses the browser's types.
        [oidc.customFetch]: this.#fetch as unknown as CustomFetch,
        // Plain http is allowed only if the operator configured it, for a provider in the operator's network.
        ...(issuer.startsWith('http:') ? { execute: [oidc.allowInsecureRequests] } : {}),
      },
    )
  }
}
