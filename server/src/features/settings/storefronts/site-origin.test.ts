import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { askResetPassword } from '@ondine/contract/account-calls'
import { ERRORS } from '@ondine/contract/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emailsTo } from '../../../../test/emails.ts'
import { startTestService, type TestService } from '../../../../test/service.ts'
import { doctorCommand } from '../../../control/doctor.ts'
import type { Settings } from '../../../env.ts'
import { createAccount } from '../../people/profiles/new-account.service.ts'

type Headers = Record<string, string>

/**
 * Settings, and their cases: request headers and the expected origin of the page. `?` marks an origin that comes
 * only from the request.
 */
const CASES: [settings: Partial<Settings>, cases: [headers: Headers, origin: string][]][] = [
  [
    {},
    [
      [{ host: 'rive.test' }, 'https://rive.test'],
      [{ host: 'Rive.test:8443' }, 'https://rive.test:8443'],
      [{ host: 'localhost:80' }, 'http://localhost'],
      [{ host: 'rive.test:99999' }, '?'],
      [{ host: 'localhost:4000' }, 'http://localhost:4000'],
      [{ host: 'nocturne.localhost:4000' }, 'http://nocturne.localhost:4000'],
      [{ host: '127.0.0.1:4000' }, 'http://127.0.0.1:4000'],
      [{ host: '[::1]:4000' }, 'http://[::1]:4000'],
      // These hosts are not in any storefront or setting.
      [{ host: 'evil.test' }, '?https://evil.test'],
      [{ host: 'localhost.evil.test' }, '?https://localhost.evil.test'],
      [{ host: 'a b' }, '?'],
      [{ host: 'a/b' }, '?'],
      [{ host: 'a"><script>' }, '?'],
      [{ host: 'a:b:c' }, '?'],
      // Forwarding headers of clients are not trusted.
      [{ host: 'rive.test', 'x-forwarded-proto': 'http' }, 'https://rive.test'],
      [{ host: 'localhost', 'x-forwarded-proto': 'https' }, 'http://localhost'],
      [{ host: 'rive.test', 'x-forwarded-host': 'evil.test' }, 'https://rive.test'],
    ],
  ],
  [
    { PUBLIC_URL: 'https://tv.test/' },
    [
      [{ host: 'evil.test' }, 'https://tv.test'],
      [{ host: 'localhost:4000' }, 'https://tv.test'],
      [{ host: 'rive.test' }, 'https://rive.test'],
      [{ host: 'a b' }, 'https://tv.test'],
    ],
  ],
  [
    { TRUST_PROXY: true },
    [
      [{ host: 'inner', 'x-forwarded-host': 'rive.test', 'x-forwarded-proto': 'https' }, 'https://rive.test'],
      [{ host: 'rive.test', 'x-forwarded-proto': 'http' }, 'http://rive.test'],
      [{ host: 'rive.test', 'x-forwarded-proto': 'javascript' }, 'https://rive.test'],
      [
        { host: 'inner', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' },
        '?https://evil.test',
      ],
    ],
  ],
]

describe.each(CASES)('the origin of the site, with %j', (settings, cases) => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService('embedded', settings, { hasPages: true })
    await service.context.storefronts.create({ apiKey: 'rive', name: 'Rive', hosts: ['rive.test'] })
  })
  afterAll(async () => await service.remove())

  it.each(cases)('V2.3-07 is right for a request with %j', async (headers, expected) => {
    const answer = await service.app.inject({ url: '/', headers })
    expect(answer.statusCode).toBe(200)
    const { origin, isKnownOrigin } = answer.json<{ origin: string; isKnownOrigin: boolean }>()
    expect(`${isKnownOrigin ? '' : '?'}${origin}`).toBe(expected)
  })

  it('refuses two Host headers, on calls, pages and unknown paths', async () => {
    await service.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = service.app.server.address() as AddressInfo
    for (const path of ['/time', '/', '/nothing', '/proxy/nothing']) {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.end(`GET ${path} HTTP/1.1\r\nHost: rive.test\r\nhOST: evil.test\r\nConnection: close\r\n\r\n`)
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
      expect([path, head.split('\r\n')[0]]).toEqual([path, 'HTTP/1.1 400 Bad Request'])
      if (!head.includes('text/html')) expect(body).toContain(String(ERRORS.invalidInput.code))
    }
  })
})

describe('without a public address', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(async () => await service.remove())

  async function doctorSays(settings: Partial<Settings> = {}): Promise<string> {
    const said: string[] = []
    const { signal } = new AbortController()
    const report = ({ text }: { text: string }) => void said.push(text)
    // Ignore failures: other checks of `doctor` may fail on the test machine.
    const context = { ...service.context, settings: { ...service.context.settings, ...settings } }
    await doctorCommand.run(context, { arguments: [], options: {} }, { signal, report }).catch(() => {})
    return said.join('\n')
  }

  it('doctor says that links in e-mails stay on this machine, until an address is known', async () => {
    const words = 'links in e-mails lead to http://localhost'
    const { storefronts } = service.context
    const { apiKey } = storefronts.first()
    expect(await doctorSays()).toContain(words)
    // A storefront's host does not count as the address of another storefront.
    await storefronts.create({ apiKey: 'rive', name: 'Rive', hosts: ['rive.test'] })
    await storefronts.create({ apiKey: 'here', name: 'Here', hosts: ['here.localhost'] })
    expect(await doctorSays()).toMatch(new RegExp(`${words}:\\d+ for viewers of ${apiKey}, here;`))
    expect(await doctorSays({ PUBLIC_URL: 'https://tv.test' })).not.toContain(words)
  })

  it('links in e-mails never lead to a host or a port that only the request names', async () => {
    const { db, storefronts, settings } = service.context
    const account = { email: 'camille@ondine.test', password: 'Ondine-2026!' }
    const { id } = await storefronts.create({ apiKey: 'tv', name: 'TV', hosts: ['tv.test'] })
    await createAccount(db, id, account)
    service.start()
    const { email } = account
    const linkFor = async (host: string, count: number) => {
      expect((await service.call(askResetPassword, { email }, { host, 'x-identity-key': 'tv' })).status).toBe(
        200,
      )
      return (await emailsTo(settings.DATA_DIR, email, count)).at(-1)?.link
    }
    expect(await linkFor('evil.test', 1)).toMatch(new RegExp(`^http://localhost:${settings.PORT}/`))
    expect(await linkFor('tv.test:8443', 2)).toMatch(/^https:\/\/tv\.test\//)
    expect(await linkFor(`tv.test:${settings.PORT}`, 3)).toMatch(
      new RegExp(`^https://tv.test:${settings.PORT}/`),
    )
  })
})
