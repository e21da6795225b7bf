import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../../../test/service.ts'

/**
 * With `PUBLIC_URL`, the site's origin does not depend on the request. So only the choice of the storefront
 * decides whether a CDN may cache a page.
 */
const SETTINGS = { PUBLIC_URL: 'https://ondine.test', CATALOGUE_CACHE_SECONDS: 5, DEMO: true }

/** A picture in the configuration itself. */
const EMBEDDED = 'data:image/png;base64,aGk='

describe('which pages a CDN may keep', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService('embedded', SETTINGS, { hasPages: true })
    await service.context.storefronts.create({ apiKey: 'nocturne', name: 'Nocturne', demonstration: true })
    await service.context.storefronts.create({ apiKey: 'rive', name: 'Rive', hosts: ['rive.test'] })
  })
  afterAll(async () => await service.remove())

  /**
   * Returns the caching headers of a page (`cache-control`, `vary`), and the names of the cookies that it sets.
   */
  async function page(url: string, headers: Record<string, string> = {}) {
    const answer = await service.app.inject({ url, headers: { accept: 'text/html', ...headers } })
    const { 'cache-control': control, vary } = answer.headers
    return { control, vary, cookies: answer.cookies.map(({ name }) => name) }
  }
  const SHARED = {
    control: 'public, max-age=0, s-maxage=5',
    vary: 'accept-encoding, accept-language, cookie',
    cookies: [],
  }

  it.each([
    ['without cookies', {}],
    [
      'with the cookies of a language and a time zone',
      { cookie: 'language=eng; timezone=Europe/Paris; visit=3' },
    ],
    ['of a storefront with a host', { host: 'rive.test' }],
  ])('V7-32 everybody gets the page of a visitor %s, and it sets no cookie', async (_which, headers) => {
    expect(await page('/', headers)).toEqual(SHARED)
  })

  it('marks a page as private when the viewer chose the storefront by its address', async () => {
    const chosen = await page('/?storefront=nocturne', { 'sec-fetch-site': 'none' })
    expect(chosen).toMatchObject({ control: 'private, no-cache', cookies: ['storefront'] })
    expect(await page('/', { cookie: 'storefront=nocturne' })).toEqual(SHARED)
  })

  const TV = 'Mozilla/5.0 (SMART-TV; LINUX; Tizen 9.0) AppleWebKit/537.36 Chrome/120.0.0.0 TV Safari/537.36'
  const isTelevision = async (url: string, headers: Record<string, string>) => {
    const answer = await service.app.inject({ url, headers: { accept: 'text/html', ...headers } })
    return answer.json().television === true
  }
  const remembers = { control: 'private, no-cache', cookies: ['television'] }

  it.each([
    ['by its browser', '/', { 'user-agent': TV }],
    ['by the address', '/?television=1', {}],
    ['by the address, on a television that chose otherwise', '/?television=1', { cookie: 'television=0' }],
  ])('remembers a television %s, in a page of its own', async (_how, url, headers) => {
    expect(await page(url, headers)).toMatchObject(remembers)
    expect(await isTelevision(url, headers)).toBe(true)
  })

  it('shares the page of televisions among those that have their cookie, and no other page', async () => {
    const headers = { cookie: 'television=1' }
    expect(await page('/', headers)).toEqual(SHARED)
    expect(await isTelevision('/', headers)).toBe(true)
    expect(await isTelevision('/', {})).toBe(false)
  })

  it.each([
    ['a television that chose the usual layout', '/', { 'user-agent': TV, cookie: 'television=0' }],
    ['an address without sense', '/?television=yes', {}],
    ['a cookie without sense', '/', { cookie: 'television=%22%3E' }],
  ])('%s has the usual page, and no cookie', async (_which, url, headers) => {
    expect(await page(url, headers)).toEqual(SHARED)
    expect(await isTelevision(url, headers)).toBe(false)
  })

  it('takes the layout back by the address', async () => {
    expect(await page('/?television=0', { 'user-agent': TV })).toMatchObject(remembers)
  })

  it.each(['cross-site', 'same-site'])('a %s link changes no layout that is remembered', async (site) => {
    const link = { 'sec-fetch-site': site }
    const unchanged = { control: 'private, no-cache', cookies: [] }
    expect(await page('/?television=1', link)).toMatchObject(unchanged)
    expect(await page('/?television=1', { ...link, cookie: 'television=0' })).toMatchObject(unchanged)
    expect(await page('/?television=0', { ...link, 'user-agent': TV })).toMatchObject(unchanged)
    expect(await page('/?television=0', { ...link, cookie: 'television=1' })).toMatchObject(unchanged)
    // Exception: the app package of a television opens its first page by a link from another site.
    expect(await page('/?television=1', { ...link, 'user-agent': TV })).toMatchObject(remembers)
    expect(await isTelevision('/?television=1', link)).toBe(true)
  })

  it('installs each storefront under its own name', async () => {
    const headers = { host: 'rive.test' }
    const answer = await service.app.inject({ url: '/manifest.webmanifest', headers })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/manifest+json; charset=utf-8',
      'cache-control': 'private, max-age=3600',
    })
    expect(answer.json()).toMatchObject({ name: 'Rive', short_name: 'Rive', start_url: '/' })
    for (const { src, type } of answer.json().icons.slice(1)) {
      const icon = await service.app.inject({ url: src, headers })
      expect([icon.statusCode, icon.headers['content-type']]).toEqual([200, type])
    }
  })

  it.each([
    ['icon', { icon: EMBEDDED }],
    ['logo', { logos: { logo: EMBEDDED } }],
  ])('V3-55 delivers an embedded %s as a file, which browsers may keep', async (which, brand) => {
    const { storefronts, configurations } = service.context
    const host = `${which}.test`
    const { id } = await storefronts.create({ apiKey: which, name: 'Quai', hosts: [host] })
    await configurations.document(id).replace(0, { brand }, { author: 'Dominique', reason: '' })
    for (const url of ['/favicon.ico', '/app-icon.svg']) {
      const { statusCode, headers, body } = await service.app.inject({ url, headers: { host } })
      expect([statusCode, headers['content-type']]).toEqual([200, 'image/svg+xml'])
      expect(headers['cache-control']).toBe('private, max-age=3600')
      expect(body).toContain(`href="${EMBEDDED}"`)
    }
  })

  it('marks a page for an account as private', async () => {
    const { control } = await page('/', { cookie: 'ondine_account=anything' })
    expect(control).toBe('private, no-cache')
  })

  it('V7-32 keeps pages to their visitor where the network of the client chooses the storefront', async () => {
    await service.context.storefronts.create({ apiKey: 'campus', name: 'Campus', networks: ['10.0.0.0/8'] })
    expect((await page('/')).control).toBe('private, no-cache')
    expect((await page('/', { host: 'rive.test' })).control).toBe(SHARED.control)
  })
})
