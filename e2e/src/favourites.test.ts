import { contentData, liveEvents } from '@ondine/contract/catalogue'
import { epg } from '@ondine/contract/channels'
import type { Programme } from '@ondine/contract/entities'
import { addFavoriteChannel } from '@ondine/contract/favourites'
import { validateAdultCode } from '@ondine/contract/parental-code'
import { heartbeat, readAsset } from '@ondine/contract/playback'
import { activateProfile, createProfile, deleteProfile, updateProfile } from '@ondine/contract/profiles'
import { rail as french } from '@ondine/web/words/fra/rail'
import { describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { callAs, inNewProfile } from './people.ts'
import { videoState } from './screen.ts'
import { findAsset, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

/** Time limit for the start of a film on a busy machine. */
const PATIENCE = { timeout: 60_000 }

const DAY_MS = 86_400_000

describe('favourites and history of a profile', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const { origin } = sharedService()

  it('A2.1-12 A2.1-14 V4-47 V4-48 V4-49 V6-01 A6-05 has favourites and begun titles, and a child sees none of them above its level', async () => {
    const film = await findAsset(origin, 'La Houle')
    const channel = await findChannel(origin, 'Rive')
    const visitor = await open()
    await visit(visitor.page, film.detailRoute)
    expect(await visitor.page.getByRole('button', { name: /à ma liste/ }).count()).toBe(0)
    await visitor.page.goto('/account/favorites')
    await visitor.page.waitForURL((url) => url.pathname === '/auth/login')

    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    const written = {
      name: `Cinéphile ${Date.now()}`,
      language: 'fra',
      kidProfile: false,
      parentalControl: false,
      maximumMoralityLevel: 0,
    } as const
    const { id } = await callAs(page, createProfile, written)
    try {
      await callAs(page, activateProfile, { idProfile: id })
      const main = page.getByRole('main')
      const player = `/player?asset=${film.id}`
      await visit(page, '/account/favorites')
      await main.getByText('La liste est vide.').waitFor()
      for (const [path, title] of [
        [film.detailRoute, 'La Houle'],
        [channel.detailRoute, 'Rive'],
      ] as const) {
        await visit(page, path)
        await main
          .getByRole('button', { name: `Ajouter ${title} à ma liste` })
          .first()
          .click()
        await main
          .getByRole('button', { name: `Retirer ${title} de ma liste` })
          .first()
          .waitFor()
      }
      await visit(page, '/account/favorites')
      const kept = (path: string) => main.locator(`a[href="${path}"]`)
      await kept(film.detailRoute).first().waitFor()
      await kept(channel.detailRoute).first().waitFor()
      await visit(page, '/')
      const rail = main.getByRole('region', { name: 'Ma liste' })
      await rail.getByRole('link', { name: /La Houle/ }).waitFor()
      await visit(page, '/account/favorites')

      // The heart that added the channel also removes it, and the list changes without a reload.
      await kept(channel.detailRoute).first().click()
      await main.getByRole('button', { name: 'Retirer Rive de ma liste' }).first().click()
      await main.getByRole('button', { name: 'Ajouter Rive à ma liste' }).first().waitFor()
      await page.goBack()
      await kept(film.detailRoute).first().waitFor()
      await expect.poll(async () => await kept(channel.detailRoute).count()).toBe(0)

      await visit(page, '/account/continue')
      await main.getByText('Rien à reprendre pour l’instant.').waitFor()
      await visit(page, `/player?asset=${film.id}&t=8`)
      await expect.poll(async () => (await videoState(page)).position, { timeout: 60_000 }).toBeGreaterThan(9)
      // The player's last report may arrive after the request of the next page, so the test visits the page until
      // the report has arrived.
      await expect
        .poll(async () => {
          await visit(page, '/account/continue')
          return await kept(player).count()
        })
        .toBeGreaterThan(0)

      // Makes the profile a child's profile. The film is above the profile's level now, so no list contains the
      // film.
      await callAs(page, updateProfile, { id, ...written, kidProfile: true, maximumMoralityLevel: 1 })
      await visit(page, '/account/favorites')
      await main.getByText('La liste est vide.').waitFor()
      await visit(page, '/account/continue')
      await main.getByText('Rien à reprendre pour l’instant.').waitFor()
      expect(complaints).toEqual([])
      expect((await page.goto(film.detailRoute))?.status()).toBe(404)
    } finally {
      const proof = await callAs(page, validateAdultCode, { parentalCode: '2580' })
      await callAs(page, deleteProfile, { id, parentalProof: proof })
    }
  })

  it('A2.1-14 V3-27 a favourite channel changes when its programme ends, and keeps it when another one is removed', async () => {
    const { id, detailRoute } = await findChannel(origin, 'Rive')
    const other = await findChannel(origin, 'Terra')
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      for (const idChannel of [id, other.id]) await callAs(page, addFavoriteChannel, { idChannel })
      await visit(page, '/live')
      // The first answer sets the end, because a busy machine may take long to ask.
      let end: number | undefined
      await page.route(`**${epg.path}`, async (route) => {
        const response = await route.fetch()
        const { result, ...answer } = (await response.json()) as { result: Record<string, Programme[]> }
        end ??= Math.floor(Date.now() / 1000) + 20
        const known = result[`chan_${id}`]?.[0]
        if (known === undefined) throw new Error('The guide of the demonstration is empty.')
        const programmes = [
          { ...known, id: 1, title: 'Avant la suite', startutc: end - 600, endutc: end },
          { ...known, id: 2, title: 'La suite', startutc: end, endutc: end + 600 },
        ]
        await route.fulfill({
          response,
          json: { ...answer, result: { ...result, [`chan_${id}`]: programmes } },
        })
      })
      const main = page.getByRole('main')
      const card = main.locator(`a[href="${detailRoute}"]`)
      await page.getByRole('banner').getByRole('link', { name: 'Ma liste' }).click()
      await card.getByText('Avant la suite').waitFor()
      await card.getByText('La suite', { exact: true }).waitFor()

      await page.unrouteAll({ behavior: 'wait' })
      const held: (() => Promise<void>)[] = []
      await page.route(`**${epg.path}`, (route) => {
        held.push(async () => await route.continue())
      })
      const removed = main.locator(`a[href="${other.detailRoute}"]`)
      await removed.press('Shift+F10')
      await page
        .getByRole('dialog', { name: 'Terra' })
        .getByRole('button', { name: 'Retirer de ma liste' })
        .click()
      await removed.waitFor({ state: 'detached' })
      // The focus passes on to the card beside the removed one.
      await expect
        .poll(async () => await page.evaluate(() => document.activeElement?.getAttribute('href')))
        .toBe(detailRoute)
      await expect.poll(() => held.length).toBeGreaterThan(0)
      expect(await card.textContent()).toContain('La suite')
      for (const go of held) await go()
      expect(complaints).toEqual([])
    })
  })

  it('V4-30 V4-49 a begun title resumes where it stopped, from its page and from the rail, and can be removed from the rail and restored', async () => {
    const episode = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const main = page.getByRole('main')
      const position = async () => (await videoState(page)).position
      const player = `/player?asset=${episode.id}`
      const { session } = await callAs(page, readAsset, {
        idAsset: episode.id,
        idAudioLang: 'fra',
        idSubtitleLang: 'non',
        format: 'dash',
      })
      // Position 15 s is at 62 % of the short title.
      await callAs(page, heartbeat, { session, position: 15, event: 'pause' })

      await visit(page, episode.detailRoute)
      await main
        .getByRole('link', { name: /^Reprendre/ })
        .first()
        .click()
      await page.locator('video').waitFor()
      await expect.poll(position, PATIENCE).toBeGreaterThan(15)
      await page.keyboard.press('Escape')
      await page.getByRole('banner').waitFor()

      await visit(page, '/')
      const card = main.locator(`a[href="${player}"]`)
      // The card names the series, and offers to resume.
      expect(await card.innerText()).toContain('Le Métier')
      expect(await card.innerText()).toContain(french.resume)
      await card.focus()
      await page.keyboard.press('Enter')
      await page.locator('video').waitFor()
      await expect.poll(position, PATIENCE).toBeGreaterThan(15)
      await page.keyboard.press('Escape')
      // After the player has closed, the focus returns to the card.
      await expect
        .poll(async () => await page.evaluate(() => document.activeElement?.getAttribute('href')))
        .toBe(player)

      const remove = main.getByRole('button', {
        name: french.removeBegun.replace('{{title}}', 'Le Métier'),
      })
      await page.keyboard.press('Tab')
      expect(await remove.evaluate((button) => button === document.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await card.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: french.undo }).click()
      await card.waitFor()
      await remove.click()
      await card.waitFor({ state: 'detached' })
      // The removal from the list keeps the position: the page of the episode still offers to resume there.
      await visit(page, episode.detailRoute)
      await main
        .getByRole('link', { name: /^Reprendre/ })
        .first()
        .waitFor()
      expect(complaints).toEqual([])
    })
  })

  it('A2.1-16 V2.4-19 the live events of an account, where the operator links to them', async () => {
    await configure({
      'navigation.getMenuProfile': {
        items: ['lives'],
        lives: { url: '/account/lives', title: { fra: 'Événements', eng: 'Events' } },
      },
    })
    const film = await findAsset(origin, 'La Houle')
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, '/account/lives')
    const main = page.getByRole('main')
    await main.getByText('Aucun événement en direct n’est prévu.').waitFor()
    await main.getByRole('link', { name: 'Voir le direct' }).click()
    await page.waitForURL((url) => url.pathname === '/live')

    // The demonstration has no current event. The test adds the film to the answer as an event that is on the air.
    const { content, ...rest } = await callAs(page, contentData, { idAsset: film.id })
    const event = { ...content.payload, live: true }
    const replace = async ({ path }: { path: string }, result: unknown) =>
      await page.route(`**${path}`, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), result } })
      })
    await replace(liveEvents, [event])
    const start = Math.ceil(Date.now() / DAY_MS + 3) * DAY_MS + 19 * 3_600_000
    const times = { TS_STARTUTC: start / 1000, TS_ENDUTC: start / 1000 + 7200 }
    const directMetadata = { ...content.payload.directMetadata, ...times }
    await replace(contentData, { ...rest, content: { ...content, payload: { ...event, directMetadata } } })
    await visit(page, '/live')
    await page.getByRole('button', { name: /^Compte\s:/ }).click()
    await page.getByRole('banner').getByRole('link', { name: 'Événements' }).click()
    await page.waitForURL((url) => url.pathname === '/account/lives')
    await main.getByRole('heading', { level: 1, name: 'Événements' }).waitFor()
    const card = main.locator(`a[href="${film.detailRoute}"]`).first()
    await card.waitFor()

    // The page of an event says when it takes place.
    await card.click()
    await main.getByText(/^Événement(?: · Nouveau)?$/).waitFor()
    const day = new Intl.DateTimeFormat('fr', { weekday: 'long', day: 'numeric', month: 'long' })
      .format(start)
      .replace(/\b1\b/, '1er')
    const time = main.getByRole('time').first()
    await expect
      .poll(async () => await time.textContent())
      .toMatch(new RegExp(`^${day}, \\d\\d:00 – \\d\\d:00$`, 'i'))
    expect(complaints).toEqual([])
  })
})
