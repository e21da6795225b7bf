import type { FastifyReply } from 'fastify'
import { CARRIERS, DEVICE_COOKIE } from './principal.ts'

/** The tokens that a browser keeps. */
export type TokenKind = 'account' | 'profile' | 'device'

/** Sets a token as a cookie that scripts cannot read. */
export function setTokenCookie(reply: FastifyReply, kind: TokenKind, token: string, seconds: number): void {
  reply.setCookie(CARRIERS[kind].cookie, token, {
    httpOnly: true,
    sameSite: 'lax',
    secure: reply.request.isOverHttps,
    path: '/',
    maxAge: Math.floor(seconds),
  })
  // Later calls of the same page are made as if the browser had the cookie already.
  reply.request.cookies[CARRIERS[kind].cookie] = token
}

/** Clears all token cookies (A4.3-07). */
export function clearTokenCookies(reply: FastifyReply): void {
  for (const kind of ['account', 'profile', 'device'] as const) {
    reply.clearCookie(CARRIERS[kind].cookie, { path: '/' })
    delete reply.request.cookies[CARRIERS[kind].cookie]
  }
}

/** Clears the cookies that make the browser a device of the account. */
export function clearDeviceCookies(reply: FastifyReply): void {
  reply.clearCookie(CARRIERS.device.cookie, { path: '/' })
  reply.clearCookie(DEVICE_COOKIE, { path: '/' })
}

/** Stores the id of the device in a cookie that scripts can read (V7-34). The id alone gives no access. */
export function setDeviceCookie(reply: FastifyReply, uniqueId: string, seconds: number): void {
  reply.setCookie(DEVICE_COOKIE, uniqueId, {
    sameSite: 'lax',
    secure: reply.request.isOverHttps,
    path: '/',
    maxAge: seconds,
  })
}
