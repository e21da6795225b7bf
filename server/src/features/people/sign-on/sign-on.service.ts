import { ACCOUNT_SHAPE, IDENTITY_SHAPE } from '@ondine/contract/account-fields'
import { hasIdentityProvider } from '@ondine/contract/identity-provider'
import type { Language } from '@ondine/contract/languages'
import type * as z from 'zod'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import { OutboundError } from '../../../outbound/fetch-outside.ts'
import type { Account } from '../accounts/accounts.service.ts'
import { accountOf, type Identity } from './identities.service.ts'
import { type ProviderSettings, Providers } from './provider.ts'

/** State that a browser stores until it returns from the provider. */
export interface SignOnStart {
  state: string
  nonce: string
  /** PKCE code verifier, which proves that the same browser returns (RFC 7636). */
  verifier: string
  back: string
}

/** Path of the redirect URI. */
const CALLBACK = '/auth/callback'

/**
 * Sign-in through the operator's identity provider (A4.3): authorisation code with PKCE, or an access token of the
 * provider.
 */
export class SignOn {
  readonly #context: Pick<Context, 'db' | 'settings' | 'configurations' | 'log'>
  readonly #providers: Providers

  constructor(context: Pick<Context, 'db' | 'settings' | 'configurations' | 'log' | 'clock'>) {
    this.#context = context
    this.#providers = new Providers(context.settings.OUTBOUND_ALLOW, context.clock)
  }

  /**
   * Returns the provider's URL for the browser, and the state to store until the browser returns.
   *
   * @throws ServiceError `signOnNotAllowed` if no provider is configured, `identityProviderSilent` if the provider
   * does not answer, `authenticationFailed` for any other error of the provider
   */
  async begin(
    storefrontId: number,
    origin: string,
    back: string,
  ): Promise<{ url: string; start: SignOnStart }> {
    const oidc = await import('openid-client')
    const start = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      back,
    }
    const { ssoUrl, scopes } = this.#authentication(storefrontId)
    const settings = this.#settings(storefrontId)
    if (ssoUrl !== '') {
      const page = new URL(ssoUrl, origin)
      page.searchParams.set('state', start.state)
      return { url: page.href, start }
    }
    return await this.#ask(async () => {
      const provider = await this.#providers.of(settings)
      const url = oidc.buildAuthorizationUrl(provider, {
        redirect_uri: origin + CALLBACK,
        scope: scopes,
        state: start.state,
        nonce: start.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(start.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, start }
    })
  }

  /**
   * Returns the account of a browser that returns from the provider with an authorisation code.
   *
   * @throws ServiceError `signOnNotAllowed` if no provider is configured, `identityProviderSilent` if the provider
   * does not answer, `authenticationFailed` if the provider refuses the code, or no account can be linked or
   * created
   */
  async finish(
    storefrontId: number,
    {
      origin,
      query,
      start,
      language,
    }: { origin: string; query: string; start: SignOnStart; language: Language },
  ): Promise<Account> {
    const oidc = await import('openid-client')
    const identity = await this.#ask(async () => {
      const provider = await this.#providers.of(this.#settings(storefrontId))
      const tokens = await oidc.authorizationCodeGrant(provider, new URL(`${origin}${CALLBACK}${query}`), {
        expectedState: start.state,
        expectedNonce: start.nonce,
        pkceCodeVerifier: start.verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new ServiceError('authenticationFailed')
      const more = provider.serverMetadata().userinfo_endpoint
        ? await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub)
        : {}
      return identityOf(claims.iss, claims.sub, { ...claims, ...more })
    })
    return await accountOf(this.#context, { storefrontId, language }, identity)
  }

  /**
   * Returns the account of a browser that returns with an access token. Only the operator's sign-in page at
   * `ssoUrl` sends the browser back in this way, with the `state` that the page has received. A link with a foreign
   * token lacks this `state`, so the link cannot sign a viewer in.
   *
   * @throws ServiceError `authenticationFailed` if `ssoUrl` is not configured or `state` is wrong; the errors of
   * {@link byAccessToken}
   */
  async finishWithToken(
    storefrontId: number,
    {
      token,
      state,
      start,
      language,
    }: { token: string; state: string | null; start: SignOnStart; language: Language },
  ): Promise<Account> {
    if (this.#authentication(storefrontId).ssoUrl === '' || state !== start.state)
      throw new ServiceError('authenticationFailed')
    return await this.byAccessToken(storefrontId, token, { language })
  }

  /**
   * Returns the account of an access token that the provider issued for this service (A7.3-02). The provider must
   * confirm the token. Refuses a token for another service.
   *
   * @throws ServiceError `signOnNotAllowed` if no provider is configured, or the provider cannot confirm tokens;
   * `identityProviderSilent` if the provider does not answer; `authenticationFailed` if the provider refuses the
   * token, or no account can be linked or created
   */
  async byAccessToken(
    storefrontId: number,
    token: string,
    { language }: { language: Language },
  ): Promise<Account> {
    const oidc = await import('openid-client')
    const identity = await this.#ask(async () => {
      const settings = this.#settings(storefrontId)
      const provider = await this.#providers.of(settings)
      const { introspection_endpoint, userinfo_endpoint } = provider.serverMetadata()
      if (introspection_endpoint === undefined || userinfo_endpoint === undefined)
        throw new ServiceError('signOnNotAllowed')
      const said = await oidc.tokenIntrospection(provider, token)
      if (!said.active || said.client_id !== settings.clientId || said.sub === undefined)
        throw new ServiceError('authenticationFailed')
      const person = await oidc.fetchUserInfo(provider, token, said.sub)
      return identityOf(provider.serverMetadata().issuer, said.sub, person)
    })
    return await accountOf(this.#context, { storefrontId, language }, identity)
  }

  #authentication(storefrontId: number) {
    return this.#context.configurations.of(storefrontId).accounts.authentication
  }

  #settings(storefrontId: number): ProviderSettings {
    const authentication = this.#authentication(storefrontId)
    if (!hasIdentityProvider(authentication)) throw new ServiceError('signOnNotAllowed')
    const { issuer, clientId } = authentication
    return { issuer, clientId, clientSecret: this.#context.settings.SSO_CLIENT_SECRET }
  }

  /**
   * Runs a request to the provider. Throws `identityProviderSilent` if the provider does not answer, and
   * `authenticationFailed` for any other error. The details are only logged.
   */
  async #ask<Answer>(speak: () => Promise<Answer>): Promise<Answer> {
    try {
      return await speak()
    } catch (error) {
      if (error instanceof ServiceError) throw error
      const silent = isSilence(error)
      this.#context.log.warn(
        { err: error },
        silent ? 'the identity provider does not answer' : 'a sign-on failed',
      )
      throw new ServiceError(silent ? 'identityProviderSilent' : 'authenticationFailed', null, {
        cause: error,
      })
    }
  }
}

/**
 * Returns the identity from a provider's claims. The claims have the same limits as form fields. Claims beyond
 * these limits are omitted.
 */
function identityOf(issuer: string, subject: string, claims: Record<string, unknown>): Identity {
  const word = (name: string, shape: z.ZodType<string, string>) => shape.safeParse(claims[name]).data
  const { firstName, email } = IDENTITY_SHAPE
  return {
    issuer,
    subject,
    email: word('email', email),
    emailVerified: typeof claims.email_verified === 'boolean' ? claims.email_verified : undefined,
    firstName: word('given_name', firstName) ?? word('name', firstName) ?? '',
    lastName: word('family_name', ACCOUNT_SHAPE.lastName) ?? '',
  }
}

/**
 * Returns whether the provider did not answer or had an internal error. False if the provider refused the sign-on.
 */
function isSilence(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundError || cause instanceof TypeError) return true
    const code = 'code' in cause ? cause.code : undefined
    if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return true
    if (cause.cause instanceof Response || isAnswer(cause.cause)) return isFault(cause.cause)
  }
  return false
}

function isAnswer(value: unknown): value is { status: number } {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'status') === 'number'
}

function isFault({ status }: { status: number }): boolean {
  return status >= 500
}
