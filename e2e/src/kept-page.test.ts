import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

describe('a page of visitors', () => {
  const open = testBrowser()
  const { origin } = sharedService()

  it('is the same for everybody, sets no cookie, and may be kept by a CDN', async () => {
    // A page is kept for a second.
    await expect.poll(async () => await sameTwice(`${origin}/legal`), { timeout: 30_000 }).toBe(true)
    const { headers } = await fetch(origin)
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('cache-control')).toMatch(/^public, max-age=0, s-maxage=[1-9]/)
    expect(headers.get('vary')).toBe('accept-encoding, accept-language, cookie')
  })

  it('is the same text in every encoding', async () => {
    const text = async (encoding: string) =>
      await (await fetch(`${origin}/legal`, { headers: { 'accept-encoding': encoding } })).text()
    await expect
      .poll(async () => new Set([await text('identity'), await text('gzip'), await text('br')]).size, {
        timeout: 30_000,
      })
      .toBe(1)
  })

  it('names each of its inline scripts and styles in its policy, and nothing else', async () => {
    const answer = await fetch(origin)
    const policy = answer.headers.get('content-security-policy') ?? ''
    const inline = [...(await answer.text()).matchAll(/<(script|style)([^>]*)>(.*?)<\/\1>/gs)].filter(
      ([, , attributes = '']) => !attributes.includes('type='),
    )
    const digests = inline.map(([, , , text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`)
    expect(digests.length).toBeGreaterThan(3)
    const named = [...policy.matchAll(/'sha256-[^']+'/g)].map(([digest]) => digest)
    expect(digests.filter((digest) => !named.includes(digest))).toEqual([])
    // Two hashes are for styles that React Aria inserts later.
    expect(named).toHaveLength(digests.length + 2)
    expect(policy).not.toContain('nonce')
    expect(policy.replace(/style-src-attr [^;]+/, '')).not.toContain('unsafe')
  })

  it('refuses to run a script that somebody has brought into it', async () => {
    const { page } = await open()
    await page.route(`${origin}/legal`, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace('<head>', '<head><script>window.foreign = true</script>')
      await route.fulfill({ response: answer, body })
    })
    await page.goto('/legal')
    expect(await page.evaluate(() => 'foreign' in window)).toBe(false)
  })

  it('is for one person only after a sign-in', async () => {
    const { page } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, '/')
    const answer = await page.request.get('/')
    expect(answer.headers()['cache-control']).toBe('private, no-cache')
  })

  it('V3-54 keeps the shuffle of the visit', async () => {
    const { page } = await open()
    await visit(page, '/')
    const shuffle = await page.locator('html').getAttribute('data-shuffle')
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'visit')
    expect(cookie).toMatchObject({ value: shuffle, expires: -1 })
    await page
      .context()
      .addCookies([{ name: 'visit', value: String((Number(shuffle) + 1) % 16), url: origin }])
    await page.reload()
    expect(await page.locator('html').getAttribute('data-shuffle')).not.toBe(shuffle)
  })
})

/** Returns whether two answers have the same bytes, before and after their policy. */
async function sameTwice(address: string): Promise<boolean> {
  const [one, other] = await Promise.all([fetch(address), fetch(address)])
  const policies = [one, other].map(({ headers }) => headers.get('content-security-policy'))
  return policies[0] === policies[1] && (await one.text()) === (await other.text())
}
