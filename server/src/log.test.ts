import { DrizzleQueryError } from 'drizzle-orm/errors'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { SECRET, writeError } from './log.ts'

it('logs failed queries without their values', () => {
  const values = ['rtmp://:1935/live/secret', Buffer.from('secret')]
  const failed = new DrizzleQueryError('insert into inputs', values, new Error('the connection ended'))
  for (const error of [failed, new Error('not stored', { cause: failed })]) {
    const written = JSON.stringify(writeError(error))
    expect(written).toContain('insert into inputs')
    expect(written).toContain('the connection ended')
    expect(written).not.toContain('secret')
  }
})

it.each(['req', 'res'])('logs no token in a header of a %s', (which) => {
  const lines: string[] = []
  const log = pino({ redact: [...SECRET] }, { write: (line) => lines.push(line) })
  const headers = {
    authorization: 'Bearer secret',
    cookie: 'ondine_account=secret',
    'set-cookie': which === 'res' ? ['ondine_account=secret'] : undefined,
    'x-auth-token': 'secret',
    'x-profile-token': 'secret',
    'x-device-token': 'secret',
    'x-sign-on-token': 'secret',
    'x-operator-token': 'secret',
    'user-agent': 'known',
  }
  log.info({ [which]: { headers } }, 'answered')
  expect(lines.join('')).toContain('known')
  expect(lines.join('')).not.toContain('secret')
})
