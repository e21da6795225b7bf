import { createServer, type Server } from 'node:http'
import { Provider } from 'oidc-provider'
import { listenLocally } from './local-server.ts'

/** The people at the provider, by their ids there. */
export const PEOPLE: Record<
  string,
  { email: string; email_verified: boolean; given_name: string; family_name: string }
> = {
  camille: { email: 'camille@sso.test', email_verified: true, given_name: 'Camille', family_name: 'Delmas' },
  // A provider can put any text into claims.
  strange: {
    email: 'strange@sso.test',
    email_verified: true,
    given_name: `\u0000${'Nom sans fin '.repeat(500)}`,
    family_name: 'Delmas\u202E',
  },
  longNamed: {
    email: 'long-named@sso.test',
    email_verified: true,
    given_name: 'Marie-Éléonore-Joséphine-Antoinette-Adé🐚🐚',
    family_name: 'de la Tour',
  },
  nowhere: { email: 'no\u0000 address', email_verified: true, given_name: 'No', family_name: 'Body' },
  moving: { email: 'moving@sso.test', email_verified: true, given_name: 'Alix', family_name: 'Roy' },
  successor: { email: 'moving@sso.test', email_verified: true, given_name: 'Lou', family_name: 'Roy' },
  doubtful: { email: 'doubtful@sso.test', email_verified: false, given_name: 'Sam', family_name: 'Doubt' },
}

/** A real identity provider. It signs in the person that the cookie `who` names, by default Camille. */
export class TestProvider {
  issuer = ''
  #server: Server | undefined
  #callback = ''
  /** Changes an answer of the provider. */
  lie: (path: string, body: string) => string = (_path, body) => body

  async start(callback: string): Promise<void> {
    this.#callback = callback
    const server = createServer()
    this.issuer = await listenLocally(server)
    const provider = new Provider(this.issuer, {
      clients: [
        { client_id: 'ondine', client_secret: 'between-us', redirect_uris: [callback] },
        { client_id: 'without-secret', token_endpoint_auth_method: 'none', redirect_uris: [callback] },
        { client_id: 'other', client_secret: 'elsewhere', redirect_uris: ['http://localhost/elsewhere'] },
      ],
      pkce: { required: () => true },
      conformIdTokenClaims: false,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
      features: { introspection: { enabled: true }, devInteractions: { enabled: false } },
      cookies: { keys: ['a key of the test'] },
      findAccount: (_context, sub) =>
        PEOPLE[sub] && { accountId: sub, claims: () => ({ sub, ...PEOPLE[sub] }) },
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      loadExistingGrant: async (context) => {
        const { client, session } = context.oidc
        const grant = new context.oidc.provider.Grant({
          clientId: client?.clientId ?? '',
          accountId: session?.accountId ?? '',
        })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })
    const answer = provider.callback()
    server.on('request', (request, reply) => {
      const path = request.url ?? ''
      if (path.startsWith('/interaction/')) {
        const person = /who=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? 'camille'
        void provider.interactionFinished(request, reply, { login: { accountId: person } })
        return
      }
      const end = reply.end.bind(reply)
      reply.end = ((body?: unknown) => {
        const text = this.lie(path, typeof body === 'string' || Buffer.isBuffer(body) ? String(body) : '')
        if (text !== '') reply.setHeader('content-length', Buffer.byteLength(text))
        return end(text)
      }) as typeof reply.end
      void answer(request, reply)
    })
    this.#server = server
  }

  /**
   * Simulates a browser that signs in at the provider. The browser keeps cookies, and follows redirects until the
   * provider redirects back to the service.
   *
   * @returns the query of the callback
   */
  async signIn(url: string, person: string): Promise<string> {
    const jar = new Map([['who', person]])
    let next = url
    for (let step = 0; step < 10; step++) {
      const response = await fetch(next, {
        redirect: 'manual',
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [pair = ''] = cookie.split(';')
        const at = pair.indexOf('=')
        jar.set(pair.slice(0, at), pair.slice(at + 1))
      }
      const location = response.headers.get('location')
      if (location === null)
        throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
      next = new URL(location, next).href
      if (next.startsWith(this.#callback)) return new URL(next).search
    }
    throw new Error('The provider leads nowhere.')
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }
}
