import { msg } from '@ondine/contract/messages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../../../test/service.ts'

describe('reports of clients', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(async () => await service.remove())

  /** Sends a report with these fields, encoded as a client's form. */
  async function send(fields: Record<string, string>): Promise<{ status: number; faulty: string[] }> {
    const answer = await service.app.inject({
      method: msg.method,
      url: msg.path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ languageId: 'fra', ...fields }).toString(),
    })
    const faults: { field: string }[] = answer.json().error?.details?.fields ?? []
    return { status: answer.statusCode, faulty: faults.map(({ field }) => field) }
  }

  it('V7-26 accepts code, level, application, classification and context', async () => {
    const report = {
      code: 'missing-translation',
      level: 'warn',
      applicationId: 'web',
      classification: 'words',
      context: { key: 'forms.choose', tries: 2 },
    } as const
    expect(await service.call(msg, report)).toMatchObject({ status: 200, result: null })
    expect(await send({})).toEqual({ status: 200, faulty: [] })
  })

  it.each([
    ['code', 'x'.repeat(51)],
    ['code', 'a\u0000b'],
    ['level', 'fatal'],
    ['applicationId', 'x'.repeat(101)],
    ['classification', 'x'.repeat(101)],
    ['context', '{"key":'],
    ['context', '[1]'],
    ['context', JSON.stringify({ key: 'x'.repeat(8000) })],
  ])('V7-26 refuses any %s', async (field, value) => {
    expect(await send({ [field]: value })).toEqual({ status: 400, faulty: [field] })
  })

  it('accepts 60 reports a minute from one address, and refuses more', async () => {
    const statuses: number[] = []
    for (let turn = 0; turn < 61; turn++) statuses.push((await send({ code: 'again' })).status)
    expect(statuses.at(-1)).toBe(429)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    const elsewhere = { remoteAddress: '192.0.2.7', method: msg.method, url: msg.path }
    expect((await service.app.inject(elsewhere)).statusCode).toBe(200)
  })
})
