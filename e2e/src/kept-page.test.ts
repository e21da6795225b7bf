import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

describe('a page of visitors', () => {
  const open = testBrowser()
  const { origin } = sharedService()

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
