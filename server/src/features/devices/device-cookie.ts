import type { FastifyReply } from 'fastify'
import { DEVICE_COOKIE } from '../../http/principal.ts'

/** The device keeps what it calls itself where its scripts find it again (V7-34). It opens nothing by itself. */
export function setDeviceCookie(reply: FastifyReply, uniqueId: string, seconds: number): void {
  reply.setCookie(DEVICE_COOKIE, uniqueId, {
    sameSite: 'lax',
    secure: reply.request.isOverHttps,
    path: '/',
    maxAge: seconds,
  })
}
