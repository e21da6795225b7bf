import type { FastifyReply } from 'fastify'
import { CARRIERS, DEVICE_COOKIE } from './principal.ts'

/** The tokens that a browser keeps. */
export type TokenKind = 'account' | 'profile' | 'device'

/** Gives the browser a token that its scripts cannot read. */
export function setTokenCookie(reply: FastifyReply, kind: TokenKind, token: string, seconds: number): void {
  reply.setCookie(CARRIERS[kind].cookie, token, {
    httpOnly: true,
    sameSite: 'lax',
    secure: reply.request.isOverHttps,
    path: '/',
    maxAge: Math.floor(seconds),
  })
  // The next call of the same page comes from a browser that has it.
  reply.request.cookies[CARRIERS[kind].cookie] = token
}

/** Takes all tokens back from the browser (A4.3-07). */
export function clearTokenCookies(reply: FastifyReply): void {
  for (const kind of ['account', 'profile', 'device'] as const) {
    reply.clearCookie(CARRIERS[kind].cookie, { path: '/' })
    delete reply.request.cookies[CARRIERS[kind].cookie]
  }
}

/** Takes from the browser what made it a device of the account. */
export function clearDeviceCookies(reply: FastifyReply): void {
  reply.clearCookie(CARRIERS.device.cookie, { path: '/' })
  reply.clearCookie(DEVICE_COOKIE, { path: '/' })
}
