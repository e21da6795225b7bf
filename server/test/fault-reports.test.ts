import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { oauthToken } from '@ondine/contract/accounts'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { changeConfigurationOf } from './configuration.ts'
import { closeServer, listenLocally } from './local-server.ts'
import { MAIN_DB, startTestService } from './service.ts'

/** Starts a collector. `reports` grows with each report; `dsn` is the address for a service. */
async function startCollector() {
  const reports: string[] = []
  const collector = createServer((request, response) => {
    const take = async () => {
      reports.push(await text(request))
      response.end('{}')
    }
    void take()
  })
  const { host } = new URL(await listenLocally(collector))
  return { reports, dsn: `http://key@${host}/3`, close: async () => await closeServer(collector) }
}

it.each(MAIN_DB)(
  'V8-08 calls whose query fails are reported once, without their values, on %s',
  async (kind) => {
    const { reports, dsn, close } = await startCollector()
    const service = await startTestService(kind, { SENTRY_DSN: dsn })
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
    await close()
  },
)

it('V8-04 the texts that an added language lacks are reported, once for each new set', async () => {
  const { reports, dsn, close } = await startCollector()
  const service = await startTestService('embedded', { SENTRY_DSN: dsn })
  const refuse = async (languageId: string) => {
    const { error } = (await service.app.inject(`/cms/search?languageId=${languageId}`)).json()
    expect(error.message).toBeTruthy()
  }
  await changeConfigurationOf(service, { 'languages.languages': ['fra', 'eng', 'ara', 'spa'] })
  await refuse('ara')
  await expect.poll(() => reports.length).toBe(1)
  // Within a minute, the limit of reports would drop a second report of the same texts.
  service.clock.advance(60_000)
  for (const language of ['ara', 'eng', 'spa']) await refuse(language)
  const languages = () => reports.map((report) => /\d+ in (\w+): [a-z]\w*\.\w+, /.exec(report)?.[1])
  await expect.poll(languages).toContain('spa')
  expect(languages()).toEqual(['ara', 'spa'])
  expect(reports.every((report) => report.includes('MissingTexts'))).toBe(true)
  await service.remove()
  await close()
})
