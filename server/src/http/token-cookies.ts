import type { FastifyReply } from 'fastify'
import { CARRIERS, DEVICE_COOKIE, DEVICE_ID_HEADER } from './principal.ts'

/** The tokens that a browser or a native app keeps. */
export type TokenKind = 'account' | 'profile' | 'device'

/**
 * Sets a token as a cookie that scripts cannot read. A native app gets the token in a header instead, and later
 * sends the token in the header of the same name (docs/decisions/0098).
 */
export function setTokenCookie(reply: FastifyReply, kind: TokenKind, token: string, seconds: number): void {
  if (reply.request.isFromApp) reply.header(CARRIERS[kind].header, token)
  else
    reply.setCookie(CARRIERS[kind].cookie, token, {
      httpOnly: true,
      sameSite: 'lax',
      secure: reply.request.isOverHttps,
      path: '/',
      maxAge: Math.floor(seconds),
    })
  // If a web page makes this call inside the process, its further calls then carry the new cookie, as the browser's
  // next request will.
  reply.request.cookies[CARRIERS[kind].cookie] = token
}

/** Clears all token cookies (A4.3-07). For a native app, empty headers clear the tokens. */
export function clearTokenCookies(reply: FastifyReply): void {
  for (const kind of ['account', 'profile', 'device'] as const) {
    clearTokenCookie(reply, kind)
    delete reply.request.cookies[CARRIERS[kind].cookie]
  }
}

function clearTokenCookie(reply: FastifyReply, kind: TokenKind): void {
  if (reply.request.isFromApp) reply.header(CARRIERS[kind].header, '')
  else reply.clearCookie(CARRIERS[kind].cookie, { path: '/' })
}

/** Clears the cookies that make the browser a device of the account. */
export function clearDeviceCookies(reply: FastifyReply): void {
  clearTokenCookie(reply, 'device')
  if (reply.request.isFromApp) reply.header(DEVICE_ID_HEADER, '')
  else reply.clearCookie(DEVICE_COOKIE, { path: '/' })
}

/** Stores the id of the device in a cookie that scripts can read (V7-34). The id alone gives no access. */
export function setDeviceCookie(reply: FastifyReply, uniqueId: string, seconds: number): void {
  if (reply.request.isFromApp) reply.header(DEVICE_ID_HEADER, uniqueId)
  else
    reply.setCookie(DEVICE_COOKIE, uniqueId, {
      sameSite: 'lax',
      secure: reply.request.isOverHttps,
      path: '/',
      maxAge: seconds,
    })
}
