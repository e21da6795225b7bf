import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentData } from '@ondine/contract/catalogue'
import { epg, listChannels } from '@ondine/contract/channels'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { visit } from './browser.ts'
import { expectToFit } from './checks.ts'
import { ondine } from './operator.ts'
import { call, findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

const NARROW: BrowserContextOptions = {
  viewport: { width: 360, height: 780 },
  hasTouch: true,
  isMobile: true,
}
const WIDE: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }

const MINUTE = 60
const LIST = 'pictured'
/** Current programmes, each with the path of its picture in the imported guide. */
const SHOWN = [
  { guideId: 'wide', title: 'Carnets du large', icon: '/wide.jpg' },
  { guideId: 'tall', title: 'Portrait d’une île', icon: '/tall.jpg' },
  { guideId: 'gone', title: 'Sans image', icon: '/gone.jpg' },
] as const

/** Pictures of programmes, from an imported guide to the screens. */
describe('pictures of an imported guide', () => {
  const open = testBrowser()
  const { origin, dataDir } = sharedService()
  let elsewhere: Server
  let folder: string
  /** Channel id, programme id and picture of each programme, by title. */
  const known = new Map<string, { idChannel: number; id: number; picture: string | undefined }>()

  beforeAll(async () => {
    const pictures = await picturesOf(origin)
    elsewhere = createServer((request, response) => {
      const picture = pictures.get(request.url ?? '')
      if (picture === undefined) response.writeHead(404).end()
      else response.end(picture)
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    folder = await mkdtemp(join(tmpdir(), 'ondine-pictured-'))
    const list = join(folder, 'list.m3u')
    const lines = SHOWN.map(
      ({ guideId }) => `#EXTINF:-1 tvg-id="${guideId}",Canal ${guideId}\n${base}/${guideId}.m3u8`,
    )
    await writeFile(list, `#EXTM3U\n${lines.join('\n')}\n`)
    await ondine(dataDir, 'channels', 'import', list, '--name', LIST, '--first-number', '901')
    const guide = join(folder, 'guide.xml')
    await writeFile(guide, guideOf(base, Math.floor(Date.now() / 1000)))
    await ondine(dataDir, 'guide', 'import', guide, '--name', LIST)
    const channels = await call(origin, listChannels, {})
    const now = Math.floor(Date.now() / 1000)
    // A job fetches the pictures. It may have to wait for another job.
    await vi.waitFor(
      async () => {
        const programmes = await call(origin, epg, { start: now, offset: 0, hours: 1 })
        for (const { guideId, title } of SHOWN) {
          const idChannel = channels.find(({ name }) => name === `Canal ${guideId}`)?.idChannel ?? 0
          const shown = programmes[`chan_${idChannel}`]?.find((programme) => programme.title === title)
          known.set(title, { idChannel, id: shown?.id ?? 0, picture: shown?.image?.url })
        }
        const pictures = SHOWN.map(({ title }) => known.get(title)?.picture)
        expect(pictures).toEqual([expect.any(String), expect.any(String), undefined])
      },
      { timeout: 300_000, interval: 200 },
    )
  })
  afterAll(async () => {
    await ondine(dataDir, 'channels', 'lists', 'remove', LIST)
    elsewhere.closeAllConnections()
    elsewhere.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Returns whether the browser has loaded a picture, and its address. */
  const stateOf = async (picture: Locator) =>
    await picture.evaluate((image: HTMLImageElement) => ({
      path: new URL(image.currentSrc).pathname,
      came: image.complete && image.naturalWidth > 0,
      missing: image.dataset.missing === 'true',
    }))
  /** Checks that the browser has loaded a programme's picture from the address in the guide. */
  async function expectShown(picture: Locator, title: string): Promise<void> {
    await picture.scrollIntoViewIfNeeded()
    await expect
      .poll(async () => await stateOf(picture), { message: title })
      .toMatchObject({ path: expect.stringContaining(`${known.get(title)?.picture}/`), came: true })
  }
  const panelOf = (page: Page, title: string) => page.getByRole('region', { name: title })
  const stage = (page: Page) => page.getByRole('main').locator('img').first()
  const pageOf = (title: string) => `/epg/x-${known.get(title)?.id}`

  /** Opens the panel of the current programme, in the guide. */
  async function openPanel(
    page: Page,
    title: string,
    press: (what: Locator) => Promise<void>,
  ): Promise<void> {
    const { idChannel = 0 } = known.get(title) ?? {}
    const now = new Date()
    const date = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Paris' }).format(now)
    const time = new Intl.DateTimeFormat('sv', {
      timeZone: 'Europe/Paris',
      hour: '2-digit',
      minute: '2-digit',
    }).format(now)
    await visit(page, `/epg?day=${date}&time=${encodeURIComponent(time)}&channel=${idChannel}`)
    await press(page.locator(`[role=grid] a[data-row="${idChannel}"]`, { hasText: title }).first())
    await panelOf(page, title).waitFor()
  }

  it.each<[string, BrowserContextOptions, (what: Locator) => Promise<void>]>([
    ['a phone', NARROW, async (what) => await what.tap()],
    ['a wide screen', WIDE, async (what) => await what.click()],
  ])(
    'V3-24 V7-29 are shown in the panel, on the programme’s page and on the live page on %s',
    async (_, options, press) => {
      const { page, complaints } = await open({ ...options, timezoneId: 'Europe/Paris' })
      const width = options.viewport?.width ?? 0
      for (const { title, icon } of SHOWN) {
        const has = icon !== '/gone.jpg'
        await openPanel(page, title, press)
        if (has) await expectShown(panelOf(page, title).locator('img').first(), title)
        else expect(await panelOf(page, title).locator('img').count()).toBe(0)
        await expectToFit(page, width, `the panel of ${title}`)
        await visit(page, pageOf(title))
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        if (has) await expectShown(stage(page), title)
        else expect(await stage(page).count()).toBe(0)
        await expectToFit(page, width, `the page of ${title}`)
      }
      await visit(page, '/live-events/all')
      for (const { title, icon } of SHOWN) {
        const card = page.getByRole('main').getByRole('listitem').filter({ hasText: title })
        await card.scrollIntoViewIfNeeded()
        if (icon === '/gone.jpg') expect(await card.locator('img').count()).toBe(0)
        else await expectShown(card.locator('img').first(), title)
      }
      expect(complaints).toEqual([])
    },
  )

  it.each<[string, BrowserContextOptions]>([
    ['a phone', NARROW],
    ['a wide screen', WIDE],
  ])('show no broken picture when one does not load, on %s', async (_, options) => {
    const { page } = await open({ ...options, timezoneId: 'Europe/Paris' })
    const title = 'Carnets du large'
    await page.route(`**${known.get(title)?.picture}/**`, async (route) => await route.abort())
    for (const path of [pageOf(title), '/live-events/all']) {
      await visit(page, path)
      const picture =
        path === '/live-events/all'
          ? page.getByRole('listitem').filter({ hasText: title }).locator('img').first()
          : stage(page)
      await picture.scrollIntoViewIfNeeded()
      await expect.poll(async () => (await stateOf(picture)).missing).toBe(true)
      expect(await picture.evaluate((image) => getComputedStyle(image).opacity)).toBe('0')
      await page.getByRole('main').getByText(title).first().waitFor()
    }
  })
})

/** Returns the pictures of a film, to be served as if from another site. */
async function picturesOf(origin: string): Promise<Map<string, Buffer>> {
  const { id } = await findAsset(origin, 'La Houle')
  const { content } = await call(origin, contentData, { idAsset: id })
  const film = content.type === 'asset' ? content.payload : undefined
  const read = async (image: { url: string } | null | undefined) => {
    const answer = await fetch(`${origin}${image?.url}/720`, { headers: { accept: 'image/jpeg' } })
    return Buffer.from(await answer.arrayBuffer())
  }
  return new Map([
    ['/wide.jpg', await read(film?.backgroundImage)],
    ['/tall.jpg', await read(film?.posterImage)],
  ])
}

/**
 * Returns a guide (XMLTV) with two programmes per channel: a programme that began an hour ago, and the next programme.
 * `now` is in seconds since the Unix epoch.
 */
function guideOf(base: string, now: number): string {
  const at = (seconds: number) =>
    `${new Date(seconds * 1000).toISOString().replaceAll(/[-:T]|\..*/g, '')} +0000`
  const shows = SHOWN.flatMap(({ guideId, title, icon }) => [
    `<programme channel="${guideId}" start="${at(now - 60 * MINUTE)}" stop="${at(now + 120 * MINUTE)}">
      <title>${title}</title><desc>Une escale, ceux qui y vivent, et la mer autour.</desc>
      <icon src="${base}${icon}"/><rating><value>TP</value></rating></programme>`,
    `<programme channel="${guideId}" start="${at(now + 120 * MINUTE)}" stop="${at(now + 180 * MINUTE)}">
      <title>Après ${title}</title><icon src="${base}${icon}"/><rating><value>TP</value></rating></programme>`,
  ])
  return `<?xml version="1.0" encoding="UTF-8"?>\n<tv>\n${shows.join('\n')}\n</tv>\n`
}
