import { describe, expect, it } from 'vitest'
import { drawAll, settle } from './pictures/settle.ts'
import { testBrowser } from './test-browser.ts'

describe('pictures of screens', () => {
  const open = testBrowser()

  it.each([
    [
      'grows on scrolling',
      '<script>addEventListener("scroll", () => document.body.append(document.createElement("p")))</script><style>p { height: 100vh }</style><p>',
    ],
    [
      'waits for a font that never loads',
      '<style>@font-face { font-family: Late; src: url("/late.woff2") }</style><p style="font-family: Late">Late',
    ],
  ])('fail for a page that %s, and name it', async (_, html) => {
    const { page } = await open()
    // The request is never answered. The page is closed while it waits.
    await page.route('**/late.woff2', () => {})
    await page.route(
      '**/endless',
      async (route) => await route.fulfill({ contentType: 'text/html', body: html }),
    )
    // Waits only for the first bytes, because the page's load event never comes.
    await page.goto('/endless', { waitUntil: 'commit' })
    await expect(settle(page, 'endless', { whole: true, patienceMs: 2000 })).rejects.toThrow(
      'endless did not settle within 2 s',
    )
  })

  it('wait until a page settles', async () => {
    const { page } = await open()
    await page.route(
      '**/still',
      async (route) =>
        await route.fulfill({ contentType: 'text/html', body: '<p style="height: 300vh">Still' }),
    )
    await page.goto('/still')
    await settle(page, 'still', { whole: true })
    expect(await page.evaluate(() => scrollY)).toBe(0)
  })
  it('show parts that a page renders only in the window, whatever the policy of the page', async () => {
    const { page } = await open()
    await page.route(
      '**/long',
      async (route) =>
        await route.fulfill({
          contentType: 'text/html',
          headers: { 'content-security-policy': "style-src 'nonce-ours'" },
          body: `<style nonce="ours">
              p { margin: 0; height: 3000px }
              li { display: block; height: 40px }
              .late { content-visibility: auto }
            </style><p>Above</p><ul><li>Below</li><li class="late">Below</li></ul>`,
        }),
    )
    await page.goto('/long')
    await settle(page, 'long', { whole: true })
    await drawAll(page)
    const [always, late] = await Promise.all(
      ['li:not(.late)', 'li.late'].map(async (row) => {
        const clip = (await page.locator(row).boundingBox()) ?? undefined
        return clip && (await page.screenshot({ fullPage: true, clip }))
      }),
    )
    expect(late?.equals(always ?? Buffer.alloc(0))).toBe(true)
  })
})
