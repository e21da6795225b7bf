import { askResetPassword, validateAccount } from '@ondine/contract/account-calls'
import { oauthToken } from '@ondine/contract/accounts'
import { startPairing } from '@ondine/contract/pairing'
import { beginSignOn } from '@ondine/contract/sign-on'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, startTestService, type TestService } from '../../../../test/service.ts'
import type { Service } from '../../../service.ts'
import { rateLimitCounts } from './attempts.table.ts'
import { forgetRateLimitCounts } from './rate-limits.service.ts'

const GUESS = { username: 'nobody@ondine.test', password: 'Wrong-2026!', grant_type: 'password' }
const MAX = 3
const MINUTE_MS = 60_000

describe.each(DATABASES)('repeated attempts, on a database of kind %s', (kind) => {
  let service: TestService
  /** Another process, or the same one with an embedded database, which only one process can open. */
  let another: Service
  beforeAll(async () => {
    service = await startTestService(kind, { SIGN_IN_ATTEMPTS: MAX, TRUST_PROXY: true })
    another = await service.another()
  })
  afterAll(async () => await service.remove())

  // Each test is another client, because the processes keep the counts of the earlier ones in memory.
  const client = { count: 0 }
  beforeEach(() => void client.count++)

  /** Calls an operation at one of the processes. @returns the status, and the time after which to call again */
  async function call(
    { app }: Pick<Service, 'app'>,
    { path }: { path: string },
    fields: Record<string, string>,
  ) {
    const answer = await app.inject({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': `203.0.113.${client.count}`,
      },
      payload: new URLSearchParams(fields).toString(),
    })
    return { status: answer.statusCode, retryAfter: answer.headers['retry-after'] }
  }

  it.each<[string, { path: string }, (index: number) => Record<string, string>, number]>([
    ['sign-ins with one user name', oauthToken, () => GUESS, MAX],
    ['sign-ins', oauthToken, (index) => ({ ...GUESS, username: `${index}@ondine.test` }), MAX * 20],
    ['e-mails to one address', askResetPassword, () => ({ email: 'nobody@ondine.test' }), MAX],
    ['links of e-mails', validateAccount, () => ({ token: 'guess' }), MAX * 5],
    ['starts of sign-ons', beginSignOn, () => ({ back: '/' }), MAX * 5],
    ['codes of televisions', startPairing, () => ({}), 60],
  ])('A8.3-06 are counted at all processes together: %s', async (_what, operation, fieldsOf, max) => {
    for (let index = 0; index < max; index++) {
      const node = index % 2 === 0 ? service : another
      expect((await call(node, operation, fieldsOf(index))).status).not.toBe(429)
    }
    for (const node of [service, another])
      expect((await call(node, operation, fieldsOf(max))).status).toBe(429)
  })

  it.each(kind === 'postgresql' ? [kind] : [])(
    'A8.3-06 are remembered by %s when a process restarts, for a minute',
    async () => {
      for (let index = 0; index < MAX; index++)
        expect((await call(service, oauthToken, GUESS)).status).toBe(401)
      const restarted = await service.another()
      service.clock.advance(20_000)
      expect(await call(restarted, oauthToken, GUESS)).toEqual({ status: 429, retryAfter: '40' })
      service.clock.advance(40_000)
      expect((await call(restarted, oauthToken, GUESS)).status).toBe(401)
    },
  )

  it('are refused without the database while a client exceeds the limit', async () => {
    await service.context.db.delete(rateLimitCounts)
    for (let index = 0; index < MAX * 10; index++) await call(service, validateAccount, { token: 'guess' })
    const counts = await service.context.db.select().from(rateLimitCounts)
    expect(counts.map(({ count }) => count)).toEqual([MAX * 5])
  })

  it('are counted one by one when they are concurrent', async () => {
    const guesses = Array.from({ length: MAX * 2 }, async (_, index) => {
      return (await call(index % 2 === 0 ? service : another, oauthToken, GUESS)).status
    })
    expect((await Promise.all(guesses)).filter((status) => status === 401)).toHaveLength(MAX)
  })

  it('are forgotten after the end of their period', async () => {
    const { context, clock } = service
    await context.db.delete(rateLimitCounts)
    await call(service, oauthToken, GUESS)
    clock.advance(MINUTE_MS - 1)
    await forgetRateLimitCounts(context.db, clock.now())
    const kept = await context.db.select().from(rateLimitCounts)
    expect(kept.length).toBeGreaterThan(0)
    clock.advance(1)
    await forgetRateLimitCounts(context.db, clock.now())
    expect((await context.db.select().from(rateLimitCounts)).length).toBe(0)
  })
})
