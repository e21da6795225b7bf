import { DrizzleQueryError } from 'drizzle-orm/errors'
import { expect, it } from 'vitest'
import { writeError } from './log.ts'

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
