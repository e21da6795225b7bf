import { beginSignOn, finishSignOn } from '@ondine/contract/sign-on'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import { SIGN_ON_HEADER, tokenHeader } from '../../../http/principal.ts'
import { linkOriginOf } from '../../../http/site-origin.ts'
import { sharedRateLimit } from '../attempts/rate-limits.service.ts'
import { Sessions } from '../sign-in/sessions.service.ts'
import type { SignOn, SignOnStart } from './sign-on.service.ts'

/**
 * Cookie for the state of a sign-on while the browser is at the provider. A native app stores the state as a token
 * instead, because it opens the provider's page in the system's browser.
 */
const COOKIE = 'ondine_sign_on'

/** Time limit for the sign-in at the provider, in seconds. */
const LIFETIME_SECONDS = 600

/** Maximum number of sign-ons per client address, as a multiple of the limit on sign-in attempts per user name. */
const STARTS = 5

/** Registers the redirect to the operator's identity provider, and the return from it (A4.3-01). */
export function registerSignOn(app: FastifyInstance, on: On, context: Context, signOn: SignOn): void {
  const { keys, settings } = context
  const sessions = new Sessions(context)
  const attempt = sharedRateLimit(app, context, 'sign-on', { max: settings.SIGN_IN_ATTEMPTS * STARTS })

  on(beginSignOn, async ({ back }, { storefront, request, reply }) => {
    await attempt(request)
    const { url, start } = await signOn.begin(storefront.id, linkOriginOf(context, request), insideOnly(back))
    keep(reply, keys.sign('sign-on', { ...start }, LIFETIME_SECONDS))
    return { url }
  })

  on(finishSignOn, async ({ query }, { storefront, language, now, request, reply }) => {
    await attempt(request)
    const start = startOf(request)
    // The state is valid only once, even if the sign-on fails.
    if (request.isFromApp) reply.header(SIGN_ON_HEADER, '')
    else reply.clearCookie(COOKIE, { path: '/' })
    // Refuse callbacks of sign-ons that another browser started.
    if (start === undefined) throw new ServiceError('authenticationFailed')
    const answer = new URLSearchParams(query)
    const token = answer.get('access_token')
    const account =
      token === null
        ? await signOn.finish(storefront.id, {
            origin: linkOriginOf(context, request),
            query,
            start,
            language,
          })
        : await signOn.finishWithToken(storefront.id, { token, state: answer.get('state'), start, language })
    const open = await sessions.begin(account, reply, now)
    return { access_token: open.token, back: start.back }
  })

  function startOf(request: FastifyRequest): SignOnStart | undefined {
    const token = tokenHeader(request, SIGN_ON_HEADER) ?? request.cookies[COOKIE]
    const claims = token === undefined ? undefined : keys.verify('sign-on', token)
    // The token was signed by this service, so its claims have this type.
    return claims as SignOnStart | undefined
  }
}

function keep(reply: FastifyReply, token: string): void {
  if (reply.request.isFromApp) reply.header(SIGN_ON_HEADER, token)
  else
    reply.setCookie(COOKIE, token, {
      httpOnly: true,
      sameSite: 'lax',
      secure: reply.request.isOverHttps,
      path: '/',
      maxAge: LIFETIME_SECONDS,
    })
}

/** Returns `back` if it is a path of this site, and `/` if not, so that a link cannot redirect to another site. */
function insideOnly(back: string): string {
  return /^\/(?![/\\])/.test(back) ? back : '/'
}
