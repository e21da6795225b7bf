import { listChannels } from '@ondine/contract/channels'
import type { Channel, Programme } from '@ondine/contract/entities'
import { ROUTES } from '@ondine/web/routes'
import { live as words } from '@ondine/web/words/fra/live'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { axeFaults } from './checks.ts'
import { call } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

/** The guide as an answer of `/proxy/epg`. */
interface Guide {
  result: Record<string, Programme[]>
}

const HOUR = 3600
/** Time for a screen to load, in seconds. */
const SOON = 5

describe('the screen of live channels', () => {
  const open = testBrowser()
  const { origin } = sharedService()
  let channels: Channel[]

  beforeAll(async () => {
    channels = await call(origin, listChannels, {})
  })

  const stage = (page: Page) => page.getByRole('main').locator('h2').first()

  /**
   * Opens the live channels from another screen. Each channel of `shown` has a current programme, which ends after
   * `lastsSeconds`, and a next one. All other channels have no programme.
   */
  async function openLive(page: Page, shown: readonly Channel[], lastsSeconds = HOUR): Promise<void> {
    await visit(page, ROUTES.legal)
    const now = Math.floor(Date.now() / 1000)
    await page.route('**/proxy/epg', async (route) => {
      const response = await route.fetch()
      const { result, ...rest }: Guide = await response.json()
      const [known] = Object.values(result).flat()
      if (known === undefined) throw new Error('The guide of the demonstration is empty.')
      const programmes = (channel: Channel) =>
        shown.includes(channel) ? programmesOf(known, channel, now, lastsSeconds) : []
      const entries = channels.map((channel) => [`chan_${channel.idChannel}`, programmes(channel)])
      await route.fulfill({ response, json: { ...rest, result: Object.fromEntries(entries) } })
    })
    await page.locator(`a[href="${ROUTES.live}"]`).first().click()
    await page.waitForURL(`**${ROUTES.live}`)
  }

  /** Returns the programmes of a channel: a programme that began an hour ago, and the next programme. */
  function programmesOf(known: Programme, channel: Channel, now: number, lastsSeconds: number): Programme[] {
    const common = { ...known, id_channel: channel.idChannel, idAsset: null, synopsis: 'Au large.' }
    const end = now + lastsSeconds
    return [
      { ...common, id: 1, title: `Ce soir sur ${channel.name}`, startutc: now - HOUR, endutc: end },
      { ...common, id: 2, title: `Après, sur ${channel.name}`, startutc: end, endutc: end + HOUR },
    ]
  }

  it('opens with the current programme of the first channel, plays it, and names the next one', async () => {
    const [first, second] = channels
    if (first === undefined || second === undefined)
      throw new Error('The demonstration has fewer than two channels.')
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await openLive(page, [first, second])
    const main = page.getByRole('main')
    await main.getByRole('heading', { level: 2, name: `Ce soir sur ${first.name}` }).waitFor()
    expect(await main.getByText('Au large.').first().isVisible()).toBe(true)
    expect(
      await main
        .getByRole('progressbar', { name: words.progress.replace('{{title}}', `Ce soir sur ${first.name}`) })
        .count(),
    ).toBe(1)
    const following = main.getByRole('link', { name: new RegExp(`^Ensuite.*Après, sur ${first.name}`) })
    expect(await following.getAttribute('href')).toMatch(/^\/epg\/.*-2$/)
    expect(await axeFaults(page)).toEqual([])
    const play = main.locator(`a[href^="${ROUTES.player}?channel="]`).first()
    expect(await play.getAttribute('href')).toBe(`${ROUTES.player}?channel=${first.idChannel}`)
    expect(complaints).toEqual([])
  })

  it('opens with the first channel that has a programme, and changes to the next one when that begins', async () => {
    const [first, second] = channels
    if (first === undefined || second === undefined)
      throw new Error('The demonstration has fewer than two channels.')
    const { page } = await open()
    await openLive(page, [second], SOON)
    await expect.poll(async () => await stage(page).textContent()).toBe(`Après, sur ${second.name}`)
  })

  it('has no stage when no channel has a programme', async () => {
    const { page, complaints } = await open()
    await openLive(page, [])
    const heading = page.getByRole('main').getByRole('heading', { level: 1, name: words.title })
    await heading.waitFor()
    expect((await heading.boundingBox())?.height ?? 0).toBeGreaterThan(10)
    for (const { detailRoute } of channels)
      expect(await page.getByRole('main').locator(`a[href="${detailRoute}"]`).count()).toBe(1)
    expect(complaints).toEqual([])
  })
})
