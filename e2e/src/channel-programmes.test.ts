import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type epgEvent, listChannels } from '@ondine/contract/channels'
import type { Channel, Programme } from '@ondine/contract/entities'
import type { OutputOf } from '@ondine/contract/operation'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { atNoon } from './guide-view.ts'
import { runCommand } from './operator.ts'
import { call, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

/** Time limit for the first frame of a film on a busy machine. */
const PATIENCE = { timeout: 60_000 }

/**
 * Replaces the guide of each channel by one programme a day, from midnight to midnight in the page's time zone,
 * for today and the next days.
 */
async function showWholeDays(page: Page): Promise<void> {
  await page.route('**/proxy/epg', async (route) => {
    const midnights = await page.evaluate(() =>
      [0, 1, 2, 3].map((days) => {
        const day = new Date()
        day.setDate(day.getDate() + days)
        return day.setHours(0, 0, 0, 0) / 1000
      }),
    )
    const answer = await route.fetch()
    const guide: { result: Record<string, Programme[]> } = await answer.json()
    for (const [channel, [programme]] of Object.entries(guide.result)) {
      if (programme === undefined) continue
      guide.result[channel] = midnights.slice(1).map((endutc, index) => {
        const startutc = midnights[index] ?? 0
        const id = programme.id + index
        return { ...programme, id, idAsset: 1, title: 'Mire', startutc, endutc, duration: endutc - startutc }
      })
    }
    await route.fulfill({ response: answer, json: guide })
  })
}

describe('programmes of channels', () => {
  const open = testBrowser()
  const { origin, dataDir } = sharedService()

  it('V3-27 a programme of a whole day says so on cards, on the page of the channel and in the player, which name the following days', async () => {
    const { page, complaints } = await open({ timezoneId: 'Europe/Paris' })
    const channel = await findChannel(origin, 'Rive')
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, '/legal')
    await showWholeDays(page)
    await page.locator('a[href="/live"]').first().click()
    const main = page.getByRole('main')
    await main.getByText('Toute la journée', { exact: true }).first().waitFor()
    expect(await main.innerText()).not.toContain('00:00 – 00:00')

    await main.locator(`a[href="${channel.detailRoute}"]`).first().click()
    await main.getByRole('heading', { level: 1, name: 'Mire' }).waitFor()
    await main.getByRole('progressbar', { name: 'Avancement : Mire' }).waitFor()
    expect(await main.innerText()).not.toContain('00:00 – 00:00')
    const days = main.getByRole('region', { name: 'Aujourd’hui sur Rive' }).getByRole('listitem')
    await days.filter({ hasText: /^Demain$/ }).waitFor()
    // Today's programme comes first, before tomorrow's.
    expect(await days.first().innerText()).toContain('Mire')

    await visit(page, `/player?channel=${channel.idChannel}`)
    let across = 300
    await expect
      .poll(async () => {
        // Moves the mouse, so that the controls over the picture stay visible.
        await page.mouse.move((across += 20), 300)
        return await page.getByText('Rive · ').allInnerTexts()
      }, PATIENCE)
      .toEqual(['Rive · Toute la journée'])
    expect(complaints).toEqual([])
  })

  it('V7-11 shows the programmes before and after a long one, also when it goes on for long', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ondine-long-'))
    try {
      const list = join(folder, 'long.m3u')
      await writeFile(list, '#EXTM3U\n#EXTINF:-1 tvg-id="long",Canal long\nhttp://127.0.0.1:9/long.m3u8\n')
      await runCommand(dataDir, 'channels import', [list], { name: 'long' })
      const at = (hours: number) =>
        new Date(Date.now() + hours * 3_600_000).toISOString().replaceAll(/[-:T]|\..*/g, '')
      const show = (title: string, from: number, to: number) =>
        `<programme channel="long" start="${at(from)} +0000" stop="${at(to)} +0000"><title>${title}</title></programme>`
      const shows = [show('La veille', -5, -4), show('La traversée', -4, 8), show('Le port', 8, 9)]
      const guide = join(folder, 'long.xml')
      await writeFile(guide, `<tv>${shows.join('')}</tv>`)
      await runCommand(dataDir, 'guide import', [guide], { name: 'long' })
      const { page, complaints } = await open()
      const channel = await findChannel(origin, 'Canal long')
      await visit(page, '/live')
      const main = page.getByRole('main')
      const said = async () =>
        await main
          .getByRole('listitem')
          .filter({ hasText: /^(?:Avant|En ce moment|Ensuite)/ })
          .allInnerTexts()
      const expected = ['La veille', 'La traversée', 'Le port'].map((title) => expect.stringContaining(title))
      await main.locator(`a[href="${channel.detailRoute}"]`).first().click()
      await expect.poll(said).toEqual(expected)
      // The page that the server renders shows the same content.
      await visit(page, channel.detailRoute)
      expect(await said()).toEqual(expected)
      expect(complaints).toEqual([])
    } finally {
      await runCommand(dataDir, 'guide sources remove', ['long']).catch(() => undefined)
      await runCommand(dataDir, 'channels lists remove', ['long']).catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('V2.1-09 shows a channel in view among the others, and its page from the top, at every width', async () => {
    const { page } = await open({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true })
    const channels = await call(origin, listChannels, {})
    await visit(page, channels.at(-1)?.detailRoute ?? '')
    const shown = page.getByRole('navigation', { name: 'Toutes les chaînes' }).locator('[aria-current]')
    const edges = async () => await shown.evaluate((link) => link.getBoundingClientRect().right)
    await expect.poll(edges).toBeLessThanOrEqual(360)
    expect(await page.evaluate(() => scrollY)).toBe(0)
  })

  it('V2.1-09 a phone has one row of buttons with their labels below the play button', async () => {
    const { page } = await open({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true })
    await signIn(page, 'subscriber@ondine.test')
    const { detailRoute } = await findChannel(origin, 'Rive')
    await visit(page, detailRoute)
    const play = page
      .getByRole('main')
      .getByRole('link', { name: /^Regarder/ })
      .first()
    await play.waitFor()
    const boxes = await play.evaluate((link) =>
      [...(link.parentElement?.children ?? [])].map((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect()
        // The second line is a description for screen readers, which the button does not show.
        const [words = ''] = (each as HTMLElement).innerText.trim().split('\n')
        return { left, right, top, bottom, words }
      }),
    )
    const [first, ...others] = boxes
    expect(others.map(({ words }) => words)).toEqual([
      'Voir depuis le début',
      'Enregistrer',
      'Programmes',
      'Ma liste',
      'Partager',
    ])
    expect(new Set(others.map(({ top }) => Math.round(top))).size).toBe(1)
    expect(others[0]?.top).toBeGreaterThanOrEqual(first?.bottom ?? 0)
    for (const { left, right } of boxes) {
      expect(left).toBeGreaterThanOrEqual(0)
      expect(right).toBeLessThanOrEqual(360)
    }
  })

  it('V2.1-09 a tablet has all buttons of a channel in one row, from watching to sharing', async () => {
    const { page } = await open({ viewport: { width: 820, height: 1180 } })
    await signIn(page, 'subscriber@ondine.test')
    const { detailRoute } = await findChannel(origin, 'Rive')
    await visit(page, detailRoute)
    const play = page.getByRole('main').getByRole('link', { name: 'Regarder en direct' }).first()
    await play.waitFor()
    const buttons = await play.evaluate((link) =>
      [...(link.parentElement?.querySelectorAll<HTMLElement>('a, button') ?? [])].map((each) => ({
        // The second line is a description for screen readers, which the button does not show.
        name: each.ariaLabel ?? each.innerText.split('\n')[0],
        top: Math.round(each.getBoundingClientRect().top),
        right: each.getBoundingClientRect().right,
      })),
    )
    expect(buttons.map(({ name }) => name)).toEqual([
      'Regarder en direct',
      'Voir depuis le début',
      'Enregistrer',
      'Programmes',
      'Ajouter Rive à ma liste',
      expect.stringMatching(/^Partager.*Rive$/),
    ])
    expect(new Set(buttons.map(({ top }) => top)).size).toBe(1)
    for (const { right } of buttons) expect(right).toBeLessThanOrEqual(820)
  })

  it('V2.1-10 shows the next day below the little that is left of today, and below no other day', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ondine-late-'))
    try {
      const list = join(folder, 'late.m3u')
      await writeFile(list, '#EXTM3U\n#EXTINF:-1 tvg-id="late",Canal du soir\nhttp://127.0.0.1:9/late.m3u8\n')
      await runCommand(dataDir, 'channels import', [list], { name: 'late' })
      const at = (hours: number) =>
        new Date(Date.now() + hours * 3_600_000).toISOString().replaceAll(/[-:T]|\..*/g, '')
      const show = (title: string, from: number, to: number) =>
        `<programme channel="late" start="${at(from)} +0000" stop="${at(to)} +0000"><title>${title}</title></programme>`
      const guide = join(folder, 'late.xml')
      await writeFile(guide, `<tv>${show('La veillée', -1, 0.2)}${show('La grasse matinée', 24, 24.1)}</tv>`)
      await runCommand(dataDir, 'guide import', [guide], { name: 'late' })
      // In the last minutes of a day, the running programme would go on into the next day.
      const { page, complaints } = await open(atNoon(origin))
      const { detailRoute } = await findChannel(origin, 'Canal du soir')
      const response = await visit(page, `${detailRoute}/epg`)
      // The server's page contains the long programme, so nothing below it moves later.
      expect(await response?.text()).toContain('La grasse matinée')
      const titles = page.getByRole('main').getByRole('listitem').getByRole('heading', { level: 3 })
      await expect
        .poll(async () => (await titles.allInnerTexts()).map((text) => text.split('\n')[0]))
        .toEqual(['La veillée', 'La grasse matinée'])
      await page.getByRole('link', { name: /^Demain/ }).click()
      await expect
        .poll(async () => (await titles.allInnerTexts()).map((text) => text.split('\n')[0]))
        .toEqual(['La grasse matinée'])
      expect(complaints).toEqual([])
    } finally {
      await runCommand(dataDir, 'guide sources remove', ['late']).catch(() => undefined)
      await runCommand(dataDir, 'channels lists remove', ['late']).catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
    }
  })

  it.each([1280, 1920])('V2.1-10 aligns the ends of all lengths of a day, at %i', async (width) => {
    const { page } = await open({ viewport: { width, height: 900 }, timezoneId: 'Europe/Paris' })
    await signIn(page, 'subscriber@ondine.test')
    const { detailRoute } = await findChannel(origin, 'Rive')
    await visit(page, `${detailRoute}/epg`)
    const main = page.getByRole('main')
    const row = main.locator('li[data-state]')
    await row.first().waitFor()
    const ends = await row.evaluateAll((rows) =>
      rows.map((each) => {
        const text = document.createRange()
        text.selectNodeContents(each.lastElementChild?.lastElementChild ?? each)
        return Math.round(text.getBoundingClientRect().right)
      }),
    )
    expect(ends.length).toBeGreaterThan(1)
    expect(new Set(ends).size).toBe(1)
    const button = await main.getByRole('link', { name: 'Voir la chaîne Rive' }).boundingBox()
    expect(Math.abs((ends[0] ?? 0) - ((button?.x ?? 0) + (button?.width ?? 0)))).toBeLessThanOrEqual(1)
  })

  it('V2.1-09 the whole day of a channel is the day in the zone of the viewer, also on the first visit', async () => {
    const { page, complaints } = await open({ timezoneId: 'America/Montreal' })
    const { detailRoute } = await findChannel(origin, 'Rive')
    await visit(page, detailRoute)
    const day = page.getByRole('region', { name: 'Aujourd’hui sur Rive' })
    const asked = page.waitForRequest('**/proxy/epg')
    await day.getByRole('button', { name: 'Toute la journée' }).click()
    const input: { start: string } = (await asked).postDataJSON()
    expect(Number(input.start)).toBe(await page.evaluate(() => new Date().setHours(0, 0, 0, 0) / 1000))
    expect(complaints).toEqual([])
  })

  it('V2.1-08 a programme shows four of its other showings, all on request, and its titles by their names', async () => {
    const { page, complaints } = await open({ timezoneId: 'Europe/Paris' })
    const { detailRoute } = await findChannel(origin, 'Rive')
    await visit(page, detailRoute)
    let shown: { result: OutputOf<typeof epgEvent> } | undefined
    await page.route('**/proxy/epg/event/**', async (route) => {
      // Hovering requests the made-up programme, which the service does not have. The test answers instead.
      if (shown) {
        await route.fulfill({ json: shown })
        return
      }
      const answer = await route.fetch()
      const event: { result: OutputOf<typeof epgEvent> } = await answer.json()
      const { current } = event.result
      event.result.showings = Array.from({ length: 6 }, (_, index) => {
        const startutc = current.startutc + (index + 2) * 86_400
        return { ...current, id: current.id + index + 1, startutc, endutc: startutc + 3600 }
      })
      const half = (current.startutc + current.endutc) / 2
      const first = { start: current.startutc, end: half }
      const second = { start: half, end: current.endutc }
      event.result.parts = [
        { ...first, title: 'Le Métier', subtitle: 'La chaîne', season: 1, episode: 2, idAsset: 1 },
        { ...second, title: 'Encre', subtitle: '', season: null, episode: null, idAsset: 2 },
      ]
      shown = event
      await route.fulfill({ response: answer, json: event })
    })
    const main = page.getByRole('main')
    await main.getByRole('region', { name: 'Aujourd’hui sur Rive' }).getByRole('link').nth(1).click()
    const showings = main.getByRole('region', { name: 'Autres diffusions' })
    const texts = async () => await showings.getByRole('listitem').allInnerTexts()
    await expect.poll(async () => (await texts()).length).toBe(4)
    for (const text of await texts())
      expect(text).toMatch(
        /^(?:Lun|Mar|Mercre|Jeu|Vendre|Same|Dimanche)(?:di)?\s(?:1er|\d+)\s\p{L}+,\s\d\d:\d\d\s–\s\d\d:\d\d$/u,
      )
    const all = showings.getByRole('button', { name: 'Toutes les diffusions' })
    await all.click()
    await expect.poll(async () => (await texts()).length).toBe(6)
    expect(await all.getAttribute('aria-expanded')).toBe('true')
    const parts = main.getByRole('region', { name: 'Au programme' })
    const names = await parts.getByRole('link').allInnerTexts()
    expect(names.map((name) => name.split(/\s+/).join(' '))).toEqual(['S1 É2 La chaîne Le Métier', 'Encre'])
    expect(complaints).toEqual([])
  })

  it('V2.1-07 a channel without a logo shows its first letter, uncut', async () => {
    const { page, complaints } = await open()
    await visit(page, '/legal')
    await page.route('**/proxy/listChannels', async (route) => {
      const answer = await route.fetch()
      const list: { result: Channel[] } = await answer.json()
      for (const channel of list.result)
        Object.assign(channel, { name: `🌊 ${channel.name}`, logoImage: null })
      await route.fulfill({ response: answer, json: list })
    })
    await page.locator('a[href="/epg"]').first().click()
    const first = page.getByRole('rowheader', { name: '🌊 Rive' })
    await first.waitFor()
    expect((await first.textContent())?.match(/\p{Cs}|🌊/gu)).toEqual(['🌊', '🌊'])
    expect(complaints).toEqual([])
  })
})
