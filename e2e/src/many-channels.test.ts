import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { epg, listChannels } from '@ondine/contract/channels'
import type { Channel } from '@ondine/contract/entities'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage, signIn, visit } from './browser.ts'
import { Installation } from './installation.ts'
import { runCommand } from './operator.ts'
import { call, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

/** Number of channels. It exceeds the number of channels that a page lists. */
const MANY = 600
const FEWER = 520
const PATHS = ['/live', '/channel', '/epg']
/**
 * Allowed difference of a page's size with {@link FEWER} and {@link MANY} channels, in bytes. The lengths of names
 * and numbers cause such differences.
 */
const SLACK = 2000
const MOST_BYTES = 1_000_000

describe('pages with very many channels', () => {
  let installation: Installation
  let browser: Browser
  let folder: string
  let channels: Channel[]
  /** Size of each page with {@link FEWER} channels, in bytes, by path. */
  const before = new Map<string, number>()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-many-'))
    installation = await Installation.create({ CATALOGUE_CACHE_SECONDS: '0', OUTBOUND_ALLOW: '127.0.0.1' })
    await installation.start()
    await importChannels(FEWER)
    const guide = join(folder, 'guide.xml')
    await writeFile(guide, guideOf(MANY, Date.now()))
    const importGuide = async () =>
      await runCommand(installation.dataDir, 'guide import', [guide], { name: 'many' })
    await importGuide()
    for (const path of PATHS) before.set(path, await bytesOf(path))
    await importChannels(MANY)
    // Imports the guide again, because the first import left out the programmes of channels that did not exist
    // yet.
    await importGuide()
    channels = await call(installation.origin, listChannels, {})
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await installation?.remove()
    await rm(folder, { recursive: true, force: true })
  })

  async function importChannels(count: number): Promise<void> {
    const list = join(folder, 'many.m3u')
    const lines = Array.from(
      { length: count },
      (_, index) => `#EXTINF:-1 tvg-id="c${index}",${nameOf(index)}\nhttp://127.0.0.1:9/${index}.m3u8`,
    )
    await writeFile(list, `#EXTM3U\n${lines.join('\n')}\n`)
    await runCommand(installation.dataDir, 'channels import', [list], { name: 'many', firstNumber: '101' })
  }
  const bytesOf = async (path: string) =>
    (await (await fetch(`${installation.origin}${path}`)).arrayBuffer()).byteLength
  const open = async (path: string) => {
    const watched = await openPage(browser, installation.origin)
    await visit(watched.page, path)
    return watched
  }

  it('have the size of the visible part, whatever the number of channels', async () => {
    expect(channels).toHaveLength(MANY)
    for (const path of PATHS) {
      const bytes = await bytesOf(path)
      expect(bytes, path).toBeLessThan(MOST_BYTES)
      expect(Math.abs(bytes - (before.get(path) ?? 0)), path).toBeLessThan(SLACK)
    }
  })

  it('/live renders more channels on scrolling, to the last', async () => {
    const { page, complaints } = await open('/live')
    const names = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: /Canal \d{3}/ })
    await names.first().waitFor()
    expect(await names.count()).toBeLessThan(MANY / 2)
    const last = names.filter({ hasText: nameOf(MANY - 1) })
    await expect
      .poll(
        async () => {
          await page.keyboard.press('End')
          return await last.count()
        },
        { timeout: 120_000 },
      )
      .toBe(1)
    await last
      .getByText(titleOf(MANY - 1))
      .first()
      .waitFor()
    expect(complaints).toEqual([])
  })

  it('/channel has a strip that leads from channel to channel to the last', async () => {
    const { page, complaints } = await open('/channel')
    const strip = page.getByRole('navigation', { name: 'Toutes les chaînes' })
    const links = strip.getByRole('link').filter({ hasText: /Canal \d{3}/ })
    const current = strip.locator('[aria-current]')
    await expect.poll(async () => await current.innerText()).toContain(nameOf(0))
    let walks = 0
    while (!(await current.innerText()).includes(nameOf(MANY - 1))) {
      expect(await links.count()).toBeLessThan(MANY / 2)
      const next = (await links.last().innerText()).replaceAll(/\s+/g, ' ').trim()
      await links.last().click()
      await expect.poll(async () => (await current.innerText()).replaceAll(/\s+/g, ' ').trim()).toBe(next)
      expect((walks += 1)).toBeLessThan(MANY)
    }
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(complaints).toEqual([])
  })

  it('/epg renders some rows, and its keys reach the last channel', async () => {
    const { page, complaints } = await open('/epg')
    const grid = page.getByRole('grid')
    await grid.locator('[data-state="live"] a[data-tile]').first().focus()
    await page.keyboard.press('Control+End')
    await expect
      .poll(async () => await page.evaluate(() => (document.activeElement as HTMLElement).dataset.row))
      .toBe(String(channels.at(-1)?.idChannel))
    expect(await grid.getByRole('rowheader').count()).toBeLessThan(MANY / 2)
    expect(complaints).toEqual([])
  })
})

describe('the list of channels in the player', () => {
  const open = testBrowser()
  const { origin } = sharedService()

  it('renders and requests the channels around the focus, which the keys move to every channel', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    const asked: number[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname !== epg.path) return
      const ids = new URLSearchParams(request.postData() ?? '').get('channelIds')
      asked.push(ids === null ? Infinity : (JSON.parse(ids) as number[]).length)
    })
    const rive = await findChannel(origin, 'Rive')
    await amongMany(page, rive)
    await visit(page, `/player?channel=${rive.idChannel}`)
    await page.mouse.move(400, 300)
    await page.getByRole('button', { name: 'Chaînes', exact: true }).click()
    const panel = page.getByRole('dialog', { name: 'Chaînes' })
    const focused = async () => await panel.locator(':focus').innerText()
    await expect.poll(focused).toContain('Rive')
    expect(await panel.locator('[aria-current]').innerText()).toContain('Rive')
    const bounded = async () => expect(await panel.getByRole('button').count()).toBeLessThan(MANY / 4)
    await bounded()
    for (let step = 1; step <= 60; step++) {
      await page.keyboard.press('ArrowRight')
      await expect.poll(focused).toContain(nameOf(MANY / 2 + step))
    }
    await bounded()
    for (const [key, index] of [
      ['End', MANY - 1],
      ['ArrowLeft', MANY - 2],
      ['Home', 0],
      ['ArrowRight', 1],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(focused).toContain(nameOf(index))
      await bounded()
    }
    await panel.getByRole('button', { name: 'Chaînes suivantes' }).click()
    await expect.poll(focused).toMatch(/Canal 0\d\d/)
    expect(asked.length).toBeGreaterThan(0)
    expect(Math.max(...asked)).toBeLessThan(MANY / 4)
    expect(complaints).toEqual([])
  })
})

/**
 * Replaces a page's list of channels by {@link MANY} channels in reverse order of their numbers, with `known` in
 * the middle.
 */
async function amongMany(page: Page, known: Channel): Promise<void> {
  await page.route(`**${listChannels.path}`, async (route) => {
    const answer = await route.fetch()
    const list: { result: Channel[] } = await answer.json()
    list.result = Array.from({ length: MANY }, (_, index) => ({
      ...known,
      isIncludedInUserOffers: true,
      ...(index === MANY / 2 ? {} : { idChannel: 1_000_000 + index, name: nameOf(index) }),
      item: { ...known.item, lcn: index + 1 },
    })).toReversed()
    await route.fulfill({ response: answer, json: list })
  })
}

function nameOf(index: number): string {
  return `Canal ${String(index).padStart(3, '0')}`
}

function titleOf(index: number): string {
  return `Programme ${String(index).padStart(3, '0')}`
}

/** Returns a guide in which each channel has one programme of several hours. */
function guideOf(count: number, now: number): string {
  const time = (hours: number) =>
    new Date(now + hours * 3_600_000).toISOString().replaceAll(/[-:T]|\..*/g, '')
  const programmes = Array.from(
    { length: count },
    (_, index) =>
      `<programme channel="c${index}" start="${time(-4)} +0000" stop="${time(8)} +0000"><title>${titleOf(index)}</title></programme>`,
  )
  return `<tv>${programmes.join('')}</tv>`
}
