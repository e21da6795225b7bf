import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sharedService } from '../shared-service.ts'
import { cookiesOf } from './viewers.ts'

describe('a page of visitors', () => {
  const { origin } = sharedService()

  it('is the same for everybody, sets no cookie, and may be kept by a CDN', async () => {
    // The server caches a page for a second. Between the two requests, a new page may replace the cached page, so
    // the test retries.
    await expect.poll(async () => await sameTwice(`${origin}/legal`), { timeout: 30_000 }).toBe(true)
    const { headers } = await fetch(origin)
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('cache-control')).toMatch(/^public, max-age=0, s-maxage=[1-9]/)
    // `vary` contains `origin`, because the service of the tests also serves an app from another origin. A
    // navigation sends no `Origin` header.
    expect(headers.get('vary')).toBe('accept-encoding, accept-language, cookie, origin')
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

  it('is for one person only after a sign-in', async () => {
    const { headers } = await fetch(origin, { headers: { cookie: await cookiesOf('subscriber') } })
    expect(headers.get('cache-control')).toBe('private, no-cache')
  })
})

/** Returns whether two requests get answers with the same bytes and the same content security policy. */
async function sameTwice(address: string): Promise<boolean> {
  const [one, other] = await Promise.all([fetch(address), fetch(address)])
  const policies = [one, other].map(({ headers }) => headers.get('content-security-policy'))
  return policies[0] === policies[1] && (await one.text()) === (await other.text())
}
