import { epg } from '@ondine/contract/channels'
import type { Programme } from '@ondine/contract/entities'
import { ERRORS } from '@ondine/contract/errors'
import type { OutputOf } from '@ondine/contract/operation'
import { heartbeat } from '@ondine/contract/playback'
import {
  createRecording,
  listRecordings,
  listSeriesRecordings,
  type playRecording,
  removeRecording,
} from '@ondine/contract/recordings'
import { slugWithId } from '@ondine/contract/slugs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ADDED, addLibraryChannel } from './added-channels.ts'
import { signIn, visit } from './browser.ts'
import { callAs, inNewProfile } from './people.ts'
import { videoState } from './screen.ts'
import { call, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

/** Time limit for playback on a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 250 }

/** Settings of a channel that repeats a title. */
const repeating = (title: string) => ({ rules: { kind: 'sequence', titles: [title] } })

describe('recordings', () => {
  const open = testBrowser()
  const service = sharedService()
  const { origin } = service

  /** Returns the current programme of Rive, and the one after it. */
  async function programmes(): Promise<[now: Programme, later: Programme]> {
    const { idChannel } = await findChannel(origin, 'Rive')
    const guide = await call(origin, epg, { offset: 0, hours: 24, channelIds: [idChannel] })
    const coming = (guide[`chan_${idChannel}`] ?? []).filter(
      ({ endutc }) => endutc * 1000 > Date.now() + 60_000,
    )
    const [now, later] = coming
    if (!now || !later) throw new Error('Rive has no two programmes.')
    return [now, later]
  }

  /** Returns the current programme of Rive. If it ends within 20 s, waits for the next programme. */
  async function programmeOnAir(): Promise<Programme> {
    let found: Programme | undefined
    await expect
      .poll(async () => {
        const { idChannel } = await findChannel(origin, 'Rive')
        const guide = await call(origin, epg, { offset: 0, hours: 1, channelIds: [idChannel] })
        const now = Date.now() / 1000
        found = guide[`chan_${idChannel}`]?.find(({ startutc, endutc }) => startutc <= now && endutc > now)
        return (found?.endutc ?? 0) - now
      }, PATIENCE)
      .toBeGreaterThan(20)
    if (!found) throw new Error('Nothing is on Rive.')
    return found
  }

  /**
   * Records the last programmes of a new channel whose recording time, including the margin, is over. Shortly after
   * midnight, the channels of the library have no such programmes.
   */
  async function recordPast(page: Page, count: number): Promise<Programme[]> {
    // The schedule of a new channel begins at its last midnight. In the channel's time zone it is now about noon,
    // so some programmes are already over.
    const ahead = 12 - new Date().getUTCHours()
    const timeZone = `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
    const dayparts = [{ from: '00:00', titles: ['Le Métier'] }]
    const { idChannel } = await addLibraryChannel(service, ADDED.past, {
      rules: { kind: 'dayparts', timeZone, dayparts },
    })
    let past: Programme[] = []
    const found = async () => {
      const start = Math.floor(Date.now() / 1000) - 3600
      const guide = await call(origin, epg, { start, offset: 0, hours: 1, channelIds: [idChannel] })
      past = (guide[`chan_${idChannel}`] ?? [])
        .filter(({ endutc }) => endutc * 1000 < Date.now() - 6 * 60_000)
        .slice(-count)
      return past.length
    }
    await expect.poll(found, PATIENCE).toBe(count)
    for (const { id } of past) await callAs(page, createRecording, { idEvent: id, idChannel })
    return past
  }

  it('A2.4-03 a programme is recorded from its page, and undone from the library', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const [, later] = await programmes()
      const main = page.getByRole('main')
      await visit(page, `/epg/${slugWithId(later.title, later.id)}`)
      await main.getByRole('button', { name: 'Enregistrer', exact: true }).click()
      await main.getByRole('button', { name: 'Annuler l’enregistrement' }).waitFor()
      await visit(page, '/library/scheduled-records')
      await main.getByRole('button', { name: `Annuler l’enregistrement : ${later.title}` }).click()
      await main.getByText('Aucun enregistrement programmé.').waitFor()
      await page.getByRole('button', { name: 'Annuler', exact: true }).click()
      await main.getByRole('heading', { level: 2, name: later.title }).waitFor()
      expect(complaints).toEqual([])
    })
  })

  it('A2.4-03 the button of a finished recording leads to it, and does not delete it', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const [past] = await recordPast(page, 1)
      if (!past) throw new Error('Nothing is over.')
      const main = page.getByRole('main')
      await visit(page, `/epg/${slugWithId(past.title, past.id)}`)
      await main.getByRole('button', { name: 'Enregistré', exact: true }).click()
      await page.waitForURL('**/library/completed-records')
      // Waits for the link and not for the heading. While the library loads, the previous page still shows a
      // heading with this title.
      await main.getByRole('link', { name: `Lire ${past.title}` }).waitFor()
      expect((await callAs(page, listRecordings, {})).count).toBe(1)
      expect(complaints).toEqual([])
    })
  })

  it('A7.3-13 V4-47 a running recording plays from the beginning of its programme, goes on where it was left, and can be a favourite', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const [now] = await programmes()
      const { id } = await callAs(page, createRecording, { idEvent: now.id, idChannel: now.id_channel })
      await visit(page, '/library/scheduled-records')
      await page
        .getByRole('main')
        .getByRole('link', { name: `Lire ${now.title}` })
        .click()
      // Checks frames and not the position. Before playback begins, the position is the target of the seek.
      await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(0)
      await page.goBack()
      const watched = async () =>
        (await callAs(page, listRecordings, {})).records.find((each) => each.id === id)?.position ?? 0
      await expect.poll(watched, PATIENCE).toBeGreaterThan(1)
      const main = page.getByRole('main')
      await main.getByRole('link', { name: `Reprendre ${now.title}` }).waitFor()
      await main.getByRole('button', { name: `Ajouter ${now.title} à ma liste` }).click()
      await main.getByRole('button', { name: `Retirer ${now.title} de ma liste` }).waitFor()
      await visit(page, '/account/favorites')
      const card = main.getByRole('listitem').filter({ hasText: now.title })
      await card.getByRole('button', { name: /^Retirer / }).press('Enter')
      await main.getByText('La liste est vide.').waitFor()
      await page.getByRole('button', { name: 'Annuler', exact: true }).click()
      await card.getByRole('link').waitFor()
      await callAs(page, removeRecording, { id })
      expect(complaints).toEqual([])
    })
  })

  it('A2.4-04 a record button leads to the offers when no recording time is left', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    const [, later] = await programmes()
    const { code, text, status } = ERRORS.recordingQuotaReached
    await page.route('**/npvr/0', async (route) =>
      route.request().method() === 'POST'
        ? await route.fulfill({ status, json: { status: false, error: { code, message: text.fra } } })
        : await route.fallback(),
    )
    await visit(page, `/epg/${slugWithId(later.title, later.id)}`)
    await page.getByRole('main').getByRole('button', { name: 'Enregistrer', exact: true }).click()
    const popup = page.getByRole('alertdialog', { name: 'Espace insuffisant' })
    await popup.getByRole('button', { name: 'Voir les offres' }).click()
    await page.waitForURL('**/offers')
    expect(complaints.filter((complaint) => !complaint.includes(String(status)))).toEqual([])
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('A2.4-04 the popup is seen in a player that fills the screen', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    const { code, text, status } = ERRORS.recordingQuotaReached
    await page.route('**/npvr/0', async (route) =>
      route.request().method() === 'POST'
        ? await route.fulfill({ status, json: { status: false, error: { code, message: text.fra } } })
        : await route.fallback(),
    )
    await inNewProfile(page, async () => {
      const { idChannel } = await findChannel(origin, 'Rive')
      await visit(page, `/player?channel=${idChannel}`)
      await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(0)
      const fills = async () => await page.evaluate(() => document.fullscreenElement !== null)
      await page.mouse.move(200, 200)
      await page.getByRole('button', { name: /^Enregistrer/ }).waitFor()
      await page.keyboard.press('f')
      await expect.poll(fills).toBe(true)
      await page.keyboard.press('r')
      await page.getByRole('alertdialog', { name: 'Espace insuffisant' }).waitFor()
      await expect.poll(fills).toBe(false)
      await page.keyboard.press('Escape')
    })
    expect(complaints.filter((complaint) => !complaint.includes(String(status)))).toEqual([])
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('the page of a channel records what is on, and marks it in its list', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const { detailRoute } = await findChannel(origin, 'Rive')
      const main = page.getByRole('main')
      const now = await programmeOnAir()
      await visit(page, detailRoute)
      await main.getByRole('button', { name: 'Enregistrer', exact: true }).click()
      await main.getByRole('button', { name: 'Arrêter l’enregistrement' }).waitFor()
      await main.getByTitle('Enregistrement en cours').first().waitFor()
      const { records } = await callAs(page, listRecordings, {})
      expect(records.map(({ idEvent, state }) => [idEvent, state])).toEqual([[now.id, 'recording']])
      expect(complaints).toEqual([])
    })
  })

  it('a page to which the viewer returns shows what was recorded elsewhere', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const [, later] = await programmes()
      const main = page.getByRole('main')
      await visit(page, `/epg/${slugWithId(later.title, later.id)}`)
      const button = (name: string) => main.getByRole('button', { name, exact: true })
      await button('Enregistrer').waitFor()
      await callAs(page, createRecording, { idEvent: later.id, idChannel: later.id_channel })
      expect(await button('Enregistrer').count()).toBe(1)
      await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
      await button('Annuler l’enregistrement').waitFor()
      expect(complaints).toEqual([])
    })
  })

  it('A2.4-03 after a deletion by keyboard, the focus is on the next recording, after undo on the same, and in the end on the heading', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      await recordPast(page, 3)
      await visit(page, '/library/completed-records')
      const main = page.getByRole('main')
      const ids = async () =>
        await main
          .locator('[data-row]')
          .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')))
      const focused = async () =>
        await page.evaluate(() => {
          const { activeElement } = document
          const row = activeElement?.closest('[data-row]')
          return row?.getAttribute('data-row') ?? activeElement?.tagName
        })
      const remove = async (index: number) =>
        await main
          .getByRole('button', { name: /^Supprimer / })
          .nth(index)
          .press('Enter')
      const [first, second, third] = await ids()
      await remove(0)
      await expect.poll(ids).toEqual([second, third])
      expect(await focused()).toBe(second)
      await page.getByRole('button', { name: 'Annuler', exact: true }).press('Enter')
      await expect.poll(ids).toEqual([first, second, third])
      await expect.poll(focused).toBe(first)
      await remove(0)
      await expect.poll(ids).toEqual([second, third])
      expect(await focused()).toBe(second)
      await remove(1)
      await expect.poll(ids).toEqual([second])
      expect(await focused()).toBe(second)
      await remove(0)
      await main.getByText('Aucun enregistrement.').waitFor()
      expect([first, await focused()]).toEqual([expect.any(String), 'H1'])
      expect(complaints).toEqual([])
    })
  })

  it('the menu of a card opens without the recordings when they cannot be fetched', async () => {
    const { page } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      await page.route(/\/npvr\//, async (route) => await route.fulfill({ status: 503, body: '' }))
      await visit(page, '/live')
      const { detailRoute } = await findChannel(origin, 'Rive')
      await page.locator(`main li a[href$="${detailRoute}"]`).first().press('Shift+F10')
      const menu = page.getByRole('dialog', { name: 'Rive' })
      const record = menu.getByRole('button', { name: /^Enregistrer/ })
      expect(await record.textContent()).toContain('Indisponible pour le moment')
      expect(await record.isDisabled()).toBe(true)
      await menu.getByRole('button', { name: 'Ajouter à ma liste' }).click()
      await menu.waitFor({ state: 'detached' })
    })
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('A6-10 the panel of the guide appears whole: its note about the recording time comes with the rest', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
      const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/identity/0/quota*', async (route) => {
        asked()
        await isReleased
        const npvr = { consumed: 3_599_000, available: 3_600_000, planned: 0, running: 0 }
        await route.fulfill({ json: { status: true, result: { npvr } } })
      })
      const { idChannel } = await findChannel(origin, 'Rive')
      await visit(page, '/epg')
      const details = page.waitForResponse((response) => response.url().includes('/proxy/epg/event/'))
      await page.locator(`[data-row="${idChannel}"][data-tile]`).last().click()
      await Promise.all([details, isAsked])
      const panel = page.getByRole('region').filter({ has: page.getByText('Fiche du programme') })
      const record = panel.getByRole('button', { name: /^Enregistrer/ })
      expect(await record.count()).toBe(0)
      release()
      await record.first().waitFor()
      expect(await panel.getByText(/n’y tient pas/).count()).toBeGreaterThan(0)
      expect(complaints).toEqual([])
    })
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('the menu of a card records what is on, and says how much time is left', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const [now] = await programmes()
      await visit(page, '/live')
      const { detailRoute } = await findChannel(origin, 'Rive')
      await page.locator(`main li a[href$="${detailRoute}"]`).first().press('Shift+F10')
      const menu = page.getByRole('dialog', { name: 'Rive' })
      const record = menu.getByRole('button', { name: `Enregistrer ${now.title}` })
      expect(await record.textContent()).toContain('sur 50 h')
      await record.click()
      await expect.poll(async () => (await callAs(page, listRecordings, {})).count).toBe(1)
      await page.locator(`main li a[href$="${detailRoute}"]`).first().press('Shift+F10')
      await menu.getByRole('button', { name: `Arrêter l’enregistrement : ${now.title}` }).click()
      await page.getByText(`« ${now.title} » : l’enregistrement est arrêté.`).waitFor()
      expect(complaints).toEqual([])
    })
  })

  it('the player records by its button and by a key, and the button is red meanwhile', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const { idChannel } = await findChannel(origin, 'Rive')
      await visit(page, `/player?channel=${idChannel}`)
      await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(0)
      await page.mouse.move(200, 200)
      await page.getByRole('button', { name: /^Enregistrer/ }).click()
      const stop = page.getByRole('button', { name: 'Arrêter l’enregistrement', exact: true })
      await stop.waitFor()
      await expect
        .poll(async () => await stop.locator('svg').evaluate((icon) => getComputedStyle(icon).color))
        .toBe('rgb(255, 77, 97)')
      await page.keyboard.press('r')
      const again = page.getByRole('button', { name: /^Enregistrer/ })
      await again.waitFor({ state: 'attached' })
      await expect
        .poll(async () => await again.locator('svg').evaluate((icon) => getComputedStyle(icon).color))
        .not.toBe('rgb(255, 77, 97)')
      await page.getByText(/est arrêté\.$/).waitFor()
      // The programme is still on, so the key records its rest.
      await page.keyboard.press('r')
      await stop.waitFor({ state: 'attached' })
      expect((await callAs(page, listRecordings, {})).records.map(({ state }) => state)).toEqual([
        'recording',
      ])
      expect(page.url()).toContain(`/player?channel=${idChannel}`)
      expect(complaints).toEqual([])
    })
  })

  it('the player records the series of the episode that it plays', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const { idChannel } = await addLibraryChannel(service, ADDED.episodes, repeating('Le Métier'))
      await visit(page, `/player?channel=${idChannel}`)
      await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(0)
      await page.mouse.move(200, 200)
      await page.getByRole('button', { name: /^Enregistrer/ }).click()
      await page.getByRole('button', { name: 'Enregistrer la série' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Enregistrer', exact: true }).click()
      await expect
        .poll(async () => await callAs(page, listSeriesRecordings, {}))
        .toMatchObject([{ episodes: 'new', idChannel }])
      expect(page.url()).toContain(`/player?channel=${idChannel}`)
      expect(complaints).toEqual([])
    })
  })

  it('a series is recorded as the viewer says, changed, and ended', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const { idChannel } = await addLibraryChannel(service, ADDED.series, repeating('Le Métier'))
      const guide = await call(origin, epg, { offset: 0, hours: 1, channelIds: [idChannel] })
      const episode = guide[`chan_${idChannel}`]?.find(
        ({ startutc }) => startutc * 1000 > Date.now() + 180_000,
      )
      if (!episode) throw new Error('No episode is on later.')
      const { title } = episode
      const main = page.getByRole('main')
      const dialog = page.getByRole('dialog')
      await visit(page, `/epg/${slugWithId(title, episode.id)}`)
      await main.getByRole('button', { name: 'Enregistrer la série' }).click()
      await dialog.getByRole('radio', { name: /^Tous les épisodes/ }).check({ force: true })
      await dialog.getByRole('button', { name: /Conserver/ }).click()
      await page.getByRole('option', { name: 'Les 3 derniers épisodes' }).click()
      await dialog.getByRole('button', { name: 'Enregistrer', exact: true }).click()
      await main.getByRole('button', { name: 'Série enregistrée' }).waitFor()
      const rule = async () => (await callAs(page, listSeriesRecordings, {}))[0]
      expect(await rule()).toMatchObject({
        title,
        episodes: 'all',
        keepLast: 3,
        idChannel: episode.id_channel,
      })

      await visit(page, '/library/scheduled-records')
      await main.getByRole('button', { name: `Modifier l’enregistrement : ${title}` }).click()
      // By keyboard: a forced click misses the switch while the dialog still moves.
      await dialog.getByRole('switch', { name: 'Sur toutes les chaînes' }).press('Space')
      await dialog.getByRole('button', { name: 'Valider' }).click()
      await main.getByText('Tous les épisodes, sur toutes les chaînes').waitFor()
      const { count } = await callAs(page, listRecordings, {})
      expect(count).toBeGreaterThan(3)
      await main.getByRole('heading', { level: 2, name: title, exact: true }).waitFor()
      await main.getByRole('button', { name: `Les afficher tous (${count})` }).click()
      // The first recordings have begun their margin, so their button stops them. The button of all others cancels
      // them.
      const ending = main.getByRole('button', { name: /^(Annuler|Arrêter) l’enregistrement : / })
      await expect.poll(async () => await ending.count()).toBe(count)
      expect(await rule()).toMatchObject({ episodes: 'all', keepLast: 3, idChannel: null })
      await main.getByRole('button', { name: `Modifier l’enregistrement : ${title}` }).click()
      await dialog.getByRole('button', { name: 'Ne plus enregistrer la série' }).click()
      await expect.poll(rule).toBeUndefined()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText(`La série « ${title} » ne sera plus enregistrée.`).waitFor()
      await page.getByRole('button', { name: 'Annuler', exact: true }).click()
      await expect.poll(rule).toMatchObject({ episodes: 'all', keepLast: 3, idChannel: null })
      await main.getByText('Tous les épisodes, sur toutes les chaînes').waitFor()
      expect(complaints).toEqual([])
    })
  })

  it('A6-10 the dialog of a series says how much time is left, also from the menu of a card', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const { idChannel, detailRoute } = await addLibraryChannel(service, ADDED.menu, repeating('Le Métier'))
      const guide = await call(origin, epg, { offset: 0, hours: 1, channelIds: [idChannel] })
      const now = guide[`chan_${idChannel}`]?.find(({ endutc }) => endutc * 1000 > Date.now())
      // Records the current programme first. The menu of a recorded programme does not load the recording time, so
      // the dialog must load it.
      await callAs(page, createRecording, { idEvent: now?.id ?? 0, idChannel })
      await visit(page, '/live')
      await page.locator(`main li a[href$="${detailRoute}"]`).first().press('Shift+F10')
      await page.getByRole('dialog').getByRole('button', { name: 'Enregistrer la série' }).click()
      await page
        .getByRole('dialog')
        .getByText(/sur 50 h/)
        .waitFor()
      expect(complaints).toEqual([])
    })
  })

  it('several recordings are sorted, selected and deleted at once by keyboard, and all of them come back', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      await recordPast(page, 2)
      const main = page.getByRole('main')
      await visit(page, '/library/completed-records')
      await main.getByRole('button', { name: /Trier/ }).press('Enter')
      await page.getByRole('option', { name: 'Par durée' }).press('Enter')
      await main.getByRole('button', { name: 'Sélectionner', exact: true }).press('Enter')
      const boxes = main.getByRole('checkbox')
      await boxes.nth(0).press('Space')
      await boxes.nth(1).press('Space')
      await main.getByText(/^2 sélectionnés/).waitFor()
      await main.getByRole('button', { name: 'Supprimer', exact: true }).press('Enter')
      await page.getByText('2 enregistrements supprimés.').waitFor()
      await main.getByText('Aucun enregistrement.').waitFor()
      await page.getByRole('button', { name: 'Annuler', exact: true }).press('Enter')
      await expect.poll(async () => (await callAs(page, listRecordings, {})).count).toBe(2)
      await main
        .getByRole('link', { name: /^Lire / })
        .first()
        .waitFor()
      expect(complaints).toEqual([])
    })
  })

  it('a player that is open when the recording ends plays it to its end', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const { idChannel } = await addLibraryChannel(service, ADDED.brief, repeating('La Houle'))
      // Takes a programme of which enough remains for the player to start.
      const current = async () => {
        const guide = await call(origin, epg, { offset: 0, hours: 1, channelIds: [idChannel] })
        const now = Date.now() / 1000
        return guide[`chan_${idChannel}`]?.find(({ startutc, endutc }) => startutc < now && endutc > now + 15)
      }
      await expect.poll(current, PATIENCE).toBeDefined()
      const programme = await current()
      const { id } = await callAs(page, createRecording, { idEvent: programme?.id ?? 0, idChannel })
      const read = page.waitForResponse((response) => response.url().includes(`/npvr/0/${id}/read/`))
      const ended = page.waitForRequest(
        (request) =>
          request.url().endsWith(heartbeat.path) && request.postData()?.includes('event=end') === true,
        { timeout: 90_000 },
      )
      await visit(page, `/player?recording=${id}&t=0`)
      const { result } = (await (await read).json()) as { result: OutputOf<typeof playRecording> }
      expect(result.isGrowing).toBe(true)
      await page
        .getByText(/^0:|^1:/)
        .first()
        .waitFor()
      const position = Number(new URLSearchParams((await ended).postData() ?? '').get('position'))
      expect(position).toBeGreaterThan(result.duration - 2)
      expect(position).toBeLessThan(result.duration + 6)
      await page.waitForURL('**/library/completed-records')
      await page.getByRole('main').getByText('Vu', { exact: true }).waitFor()
      expect(complaints).toEqual([])
    })
  })
})
