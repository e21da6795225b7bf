import { ERRORS } from '@ondine/contract/errors'
import { addMaterialByPairing, pairingDevice, pairingStatus, startPairing } from '@ondine/contract/pairing'
import { PAIRING } from '@ondine/contract/pairing-code'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import type { Call, On } from '../../../http/operations.ts'
import { DEVICE_COOKIE } from '../../../http/principal.ts'
import { setDeviceCookie, setTokenCookie } from '../../../http/token-cookies.ts'
import { findAccount, isOpen, requireAccount, sinceNow } from '../accounts/accounts.service.ts'
import { sharedRateLimit } from '../attempts/rate-limits.service.ts'
import { deviceToken } from '../devices/devices.service.ts'
import { requireProfile } from '../profiles/profiles.service.ts'
import { Sessions } from '../sign-in/sessions.service.ts'
import * as pairing from './pairing.service.ts'

/** Maximum number of codes that one client address may request in ten minutes. */
const MOST_CODES = 60
const DAY_SECONDS = 86_400

/** Answer for an expired code or a revoked pairing. The television can request a new code. */
const EXPIRED = { state: 'expired' } as const

export function registerPairing(app: FastifyInstance, on: On, context: Context): void {
  const { db, keys, configurations, words } = context
  const sessions = new Sessions(context)
  const limit = sharedRateLimit(app, context, 'pairing-codes', {
    max: MOST_CODES,
    periodMs: PAIRING.seconds * 1000,
  })

  on(startPairing, async (_input, { storefront, now, request }) => {
    await limit(request)
    const userAgent = request.headers['user-agent'] ?? ''
    const started = await pairing.startPairing(db, { storefrontId: storefront.id, userAgent }, now)
    return { ...started, expiresInSeconds: PAIRING.seconds, pollMs: PAIRING.pollMs }
  })

  on(pairingStatus, async ({ secret }, { storefront, now, request, reply }) => {
    const found = await pairing.pairingOf(db, storefront.id, secret, now)
    if (typeof found === 'string') return { state: found }
    const { accountId } = found
    const account = await findAccount(db, accountId)
    if (!account || !isOpen(account)) return EXPIRED
    const { maximumDevices, deviceCookieDays } = configurations.of(storefront.id).accounts
    const uniqueId = request.cookies[DEVICE_COOKIE] ?? pairing.deviceIdOf(secret)
    const television = { uniqueId, userAgent: request.headers['user-agent'] ?? '' }
    // The sign-in begins now. If the password changes before the device is registered, the registration fails.
    const signedIn = { id: accountId, since: sinceNow(account, now) }
    const came = await pairing.comeIn(db, found, television, signedIn, maximumDevices, now)
    if (!came) return EXPIRED
    const seconds = deviceCookieDays * DAY_SECONDS
    // A repeated request continues the sign-in that the first request began.
    const signIn = came.device.signIn ?? undefined
    const { token, profileToken } = sessions.beginAs(account, came.profile, reply, now, signIn)
    const deviceAuthToken = deviceToken(keys, came.device, seconds)
    setTokenCookie(reply, 'device', deviceAuthToken, seconds)
    setDeviceCookie(reply, uniqueId, seconds)
    return { state: 'paired' as const, authToken: token, profileToken, deviceAuthToken }
  })

  on(pairingDevice, async ({ code }, call) => {
    await requireAccount(db, call.account)
    return (await pairing.findTelevision(db, code, enteringOf(call), call.now)) ?? null
  })

  on(addMaterialByPairing, async ({ code }, call) => {
    await requireAccount(db, call.account)
    await requireProfile(db, call.account.id, call.profile.id)
    if (await pairing.pairTelevision(db, code, enteringOf(call), call.now)) return null
    const message = words.errorText(call.storefront.id, call.language, 'invalidPairingCode')
    return { code: ERRORS.invalidPairingCode.code, message }
  })
}

function enteringOf({ account, profile, storefront }: Call<'profile'>): pairing.Entering {
  return { accountId: account.id, profileId: profile.id, storefrontId: storefront.id }
}
