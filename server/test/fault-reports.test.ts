import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { oauthToken } from '@ondine/contract/accounts'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { closeServer, listenLocally } from './local-server.ts'
import { MAIN_DB, startTestService } from './service.ts'

it.each(MAIN_DB)(
  'V8-08 calls whose query fails are reported once, without their values, on %s',
  async (kind) => {
    const reports: string[] = []
    const collector = createServer((request, response) => {
      const take = async () => {
        reports.push(await text(request))
        response.end('{}')
      }
      void take()
    })
    const { host } = new URL(await listenLocally(collector))
    const service = await startTestService(kind, { SENTRY_DSN: `http://key@${host}/3` })
    await service.context.db.execute(sql`alter table accounts rename to accounts_away`)
    for (const username of ['camille.durand', 'noor.haddad']) {
      const { status } = await service.call(oauthToken, {
        username,
        password: 'Ondine-2026!',
        grant_type: 'password',
      })
      expect(status).toBe(500)
    }
    await expect.poll(() => reports.join('')).toContain('Failed query')
    expect(reports.join('')).not.toMatch(/camille|noor/)
    expect(reports).toHaveLength(1)
    await service.remove()
    await closeServer(collector)
  },
)
