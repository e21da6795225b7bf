import type { FastifyReply } from 'fastify'
import { DEVICE_COOKIE } from '../../../http/principal.ts'

/** Stores the device's own id in a cookie where its scripts find it again (V7-34). The id alone grants no access. */
export function setDeviceCookie(reply: FastifyReply, uniqueId: string, seconds: number): void {
  reply.setCookie(DEVICE_COOKIE, uniqueId, {
    sameSite: 'lax',
    secure: reply.request.isOverHttps,
    path: '/',
    maxAge: seconds,
  })
}
