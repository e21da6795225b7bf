import { beforeAll, describe, expect, it } from 'vitest'
import { Installation } from '../installation.ts'
import { runCommand } from '../operator.ts'
import { pageAddresses } from '../page-addresses.ts'
import { sharedService } from '../shared-service.ts'
import { textOf, visit } from './visit.ts'

const { origin, dataDir } = sharedService()

describe('pages', () => {
  let paths: Record<string, string> = {}

  beforeAll(async () => {
    paths = await pageAddresses(origin)
  })

  it('V2.1-01 V2.1-02 V2.1-03 V2.1-05 V2.1-09 V2.1-11 V2.1-24 V2.4-25 come from the server with title and description', async () => {
    for (const [name, path] of Object.entries(paths)) {
      const { status, title, document } = await visit(path)
      const meta = document.querySelector('meta[name=description]')
      const description = meta?.getAttribute('content') ?? ''
      expect(status, name).toBe(200)
      expect(title.length, `title of ${name}`).toBeGreaterThan(3)
      expect(title.length, `title of ${name}`).toBeLessThanOrEqual(70 + ' ...'.length)
      expect(description.length, `description of ${name}`).toBeGreaterThan(10)
      expect(description.length, `description of ${name}`).toBeLessThanOrEqual(150 + ' ...'.length)
    }
    expect((await visit(paths.film ?? '')).heading).toBe('La Houle')
  })

  it.each([
    '/nothing/here',
    '/content/nothing-999999',
    '/content/nothing',
    '/no-such-page',
    '/channel/x-999',
    `${origin}//elsewhere.test/live`,
  ])('V2.1-27 the unknown page %s is a 404 with a message', async (path) => {
    const page = await visit(path)
    expect([page.status, page.heading]).toEqual([404, 'Page introuvable'])
    expect(page.main.getAllByRole('searchbox')).toHaveLength(1)
  })

  it('a missing file gets a short answer, and the icon has the usual address', async () => {
    for (const path of ['/assets/gone-C0ffee.js', '/robots.txt', '/apple-touch-icon.png?size=180']) {
      const answer = await fetch(origin + path)
      expect(answer.status, path).toBe(404)
      expect((await answer.text()).length, path).toBeLessThan(3000)
    }
    const icon = await fetch(`${origin}/favicon.ico`)
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    // An address that only looks like a file is a page.
    expect((await visit('/search/houle.mp4')).status).toBe(200)
  })

  it('data sent to a page is refused like an unknown call', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await fetch(`${origin}/live`, { method })
      expect(answer.status, method).toBe(404)
      expect(await answer.json(), method).toMatchObject({ status: false, error: { code: -7 } })
    }
  })

  it('shows the gallery of the interface with a demonstration only', async () => {
    expect((await visit('/design')).status).toBe(200)
    const ordinary = await Installation.create()
    try {
      await ordinary.start()
      expect((await fetch(`${ordinary.origin}/design`)).status).toBe(404)
    } finally {
      await ordinary.remove()
    }
  })

  it('block scripts and frames of other sites', async () => {
    const { headers } = await fetch(origin)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src [^;]*'sha256-/)
    expect(policy).not.toMatch(/script-src [^;]*'unsafe-inline'/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBeTruthy()
  })

  it.each([
    '/search/mer?searchBy=password',
    '/search/mer?type=password',
    '/read/articles?page=one',
    '/read/articles?page=-1',
    '/epg?day=never&time=never&filter=<b>&channel=none',
    '/resetPassword?token[]=1',
    '/verify-email?token[]=1&email=1&change=2',
  ])('invalid values in the query of %s are ignored', async (address) => {
    expect((await visit(address)).status).toBe(200)
  })
})

describe('words', () => {
  it.each([
    ['fra', 'Se connecter'],
    ['eng', 'Sign in'],
    ['xxx', 'Se connecter'],
    ['deu', 'Se connecter'],
  ])('V9-19 a cookie keeps the language %s, unless it is unsupported', async (language, heading) => {
    expect((await visit('/auth/login', { language })).heading).toBe(heading)
  })

  it('V3-51 dates have the operator’s format, and the language’s by default', async () => {
    const run = async (...args: string[]) => await runCommand(dataDir, 'config set', args)
    const dates = async () =>
      [...(await visit('/read/articles')).document.querySelectorAll('time')].map(textOf)
    try {
      await run('languages.dateFormats', '{"fra":"[le] DD/MM/YYYY"}')
      expect(await dates()).toContainEqual(expect.stringMatching(/^le \d\d\/\d\d\/\d{4}$/))
      await run('languages.dateFormats', '{}')
      expect(await dates()).toContainEqual(expect.stringMatching(/^\d{4}-\d\d-\d\d$/))
    } finally {
      await run('languages.dateFormats', '{"fra":"D MMMM YYYY","eng":"D MMMM YYYY"}')
    }
  })

  it('a text that loses a placeholder is refused with its path', async () => {
    await expect(runCommand(dataDir, 'words set', ['fra', 'home.show', 'Montrer'])).rejects.toThrow(
      /home\.show: lacks \{\{title\}\}/,
    )
  })
})
