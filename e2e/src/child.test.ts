import { hierarchy } from '@ondine/contract/catalogue'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { expectSound } from './checks.ts'
import { runCommand } from './operator.ts'
import { signInAsChild } from './people.ts'
import { videoState } from './screen.ts'
import { call, findAsset, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

/** Words about sales that a child must not see. */
const SALES = /abonn|louer|location|offre|formule|€/i

describe('the pages of a child', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const { origin, dataDir } = sharedService()

  /** Opens a page of the demonstration's child. */
  async function lou(options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
    const watched = await open({ ...options })
    await signInAsChild(watched.page)
    return watched
  }

  /**
   * Chooses a profile by keyboard. A pointer would stay over a link on the home page of the previous profile. The page
   * would then preload the content of this link, which a child may not see.
   */
  async function switchTo(page: Page, name: string): Promise<void> {
    await page.getByRole('dialog', { name: 'Qui regarde ?' }).getByRole('button', { name }).press('Enter')
  }

  async function giveCode(page: Page): Promise<void> {
    await page.getByRole('dialog', { name: 'Code parental' }).getByLabel('Code parental').fill('2580')
    await page.keyboard.press('Enter')
  }

  const rails = async (page: Page) =>
    await page
      .locator('main [data-rail]')
      .evaluateAll((found) => found.map((each) => each.getAttribute('data-rail')))

  it('V3-32 A4.6-02 A6-05 home is the child’s own at once when the profile changes, and the grown-up’s again afterwards', async () => {
    await configure({
      'home.connected': [
        { id: 'for-grown-ups', source: 'categories' },
        { id: 'hero', source: 'hero' },
      ],
      'home.children': [
        { id: 'tv', source: 'live' },
        { id: 'gone', source: 'leaving' },
        { id: 'films', source: 'query', query: { kind: 'film' }, title: { fra: 'Youpi' } },
      ],
    })
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, '/')
    const main = page.getByRole('main')
    const grownUps = main.getByRole('heading', { level: 1, name: 'Accueil' })
    const greeting = main.getByRole('heading', { level: 1, name: 'Coucou Lou' })
    await grownUps.waitFor()
    expect(await rails(page)).not.toContain('tv')

    await page.getByRole('button', { name: /^Compte\s:/ }).click()
    await page.getByRole('banner').getByText('Changer de profil', { exact: true }).click()
    await switchTo(page, 'Lou')
    await greeting.waitFor()
    expect(await grownUps.count()).toBe(0)
    await expect.poll(async () => await rails(page)).toEqual(['tv', 'films'])
    // The operator titled the first rail. The second rail has no such title, so it shows the default title for
    // children.
    await main.getByRole('heading', { level: 2, name: 'Youpi' }).waitFor()
    await main.getByRole('heading', { level: 2, name: 'À la télé en ce moment' }).waitFor()
    expect(await main.textContent()).not.toMatch(SALES)

    await page.getByRole('button', { name: /^Compte\s:/ }).click()
    await page.getByRole('banner').getByText('Changer de profil', { exact: true }).click()
    await giveCode(page)
    await switchTo(page, 'Camille')
    await grownUps.waitFor()
    expect(await greeting.count()).toBe(0)
    expect(await rails(page)).not.toContain('tv')
    expect(complaints).toEqual([])
  })

  it('V3-32 an empty home has a friendly message, and fits every width', async () => {
    await configure({ 'home.children': [{ id: 'gone', source: 'leaving' }] })
    const { page, complaints } = await lou()
    await visit(page, '/')
    await page.getByText('Il n’y a rien à regarder pour le moment. Reviens bientôt !').waitFor()
    expect(await rails(page)).toEqual([])
    await expectSound(page, 'an empty home')
    await configure({ 'home.children': [{ id: 'tv', source: 'live' }] })
    await visit(page, '/')
    await page.getByRole('heading', { level: 2, name: 'À la télé en ce moment' }).waitFor()
    await expectSound(page, 'home')
    expect(complaints).toEqual([])
  })

  it('A6-05 A2.1-32 every page has a warm ground with rounder and larger cards, and a footer without the account', async () => {
    const { page } = await lou()
    const look = async () =>
      await page.evaluate(() => {
        const canvas = document.createElement('canvas').getContext('2d')
        if (canvas === null) throw new Error('There is no canvas.')
        canvas.fillStyle = getComputedStyle(document.body).backgroundColor
        canvas.fillRect(0, 0, 1, 1)
        const [red = 0, , blue = 0] = canvas.getImageData(0, 0, 1, 1).data
        const frame = document.querySelector('[data-rail="films"] li a > span')
        return {
          warmth: red - blue,
          radius: frame === null ? 0 : Number.parseFloat(getComputedStyle(frame).borderRadius),
          width: frame?.getBoundingClientRect().width ?? 0,
        }
      })
    await visit(page, '/')
    const own = await look()
    expect(own.warmth).toBeGreaterThan(0)
    expect([own.radius > 10, own.width > 190]).toEqual([true, true])
    const foot = page.getByRole('contentinfo')
    await foot.getByRole('heading', { name: 'Découvrir' }).waitFor()
    expect(await foot.getByRole('heading', { name: 'Compte' }).count()).toBe(0)
    expect(await foot.getByRole('link', { name: 'Appareils' }).count()).toBe(0)
    await visit(page, '/nothing/here')
    expect((await look()).warmth).toBeGreaterThan(0)

    const { page: others } = await open()
    await visit(others, '/')
    const usual = await others.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(usual).toBe('rgb(8, 11, 16)')
    await others.getByRole('contentinfo').getByRole('heading', { name: 'Compte' }).waitFor()
  })

  it('A6-05 the player refuses a title above the child’s level; its page has a large way on', async () => {
    const channel = await findChannel(origin, 'Onde 4')
    const level = (value: string) => ({ level: value })
    await runCommand(dataDir, 'channels set', [String(channel.item.lcn)], level('5'))
    try {
      const { page } = await lou()
      const series = (await call(origin, hierarchy, {}))
        .flatMap(({ categories }) => categories)
        .find(({ name }) => name === 'Le Métier')
      const episode = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
      for (const [address, title] of [
        [`series=${series?.idCatalog}`, 'Cette série n’est pas encore pour toi'],
        [`asset=${episode.id}`, 'Cette vidéo n’est pas encore pour toi'],
        [`channel=${channel.idChannel}`, 'Cette chaîne n’est pas encore pour toi'],
      ] as const) {
        await page.goto(`/player?${address}`)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await page.getByRole('button', { name: 'Demander à un adulte' }).waitFor()
      }
      await visit(page, `/content/${episode.id}`)
      // The link to home helps most, and is large enough for small hands.
      const home = page.getByRole('main').getByRole('link', { name: 'Retour à l’accueil' })
      const ask = page.getByRole('main').getByRole('button', { name: 'Demander à un adulte' })
      const [first, second] = [await home.boundingBox(), await ask.boundingBox()]
      expect(first?.height ?? 0).toBeGreaterThanOrEqual(64)
      expect(first?.y ?? 0).toBeLessThan(second?.y ?? 0)
      await expectSound(page, 'a page above the child’s level')
      await page.getByRole('main').getByRole('link', { name: 'Retour à l’accueil' }).click()
      await page.getByRole('heading', { level: 1, name: 'Coucou Lou' }).waitFor()
    } finally {
      await runCommand(
        dataDir,
        'channels set',
        [String(channel.item.lcn)],
        level(String(channel.moralityLevel)),
      )
      await runCommand(dataDir, 'channels unset', [String(channel.item.lcn)])
    }
  })

  it('V4-18 on a browser that is new to the account, a child plays once a grown-up has given the code', async () => {
    const film = await findAsset(origin, 'La Houle')
    const { page } = await lou()
    await page.goto(`/player?asset=${film.id}`)
    // After the popup is left, the player says that the code is needed. It must not say that the code was wrong.
    await page.getByRole('dialog').getByText('Cet appareil est nouveau sur le compte').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Il faut le code parental pour regarder').waitFor()
    expect(await page.getByText('1612').count()).toBe(0)
    await page.getByRole('button', { name: 'Saisir le code' }).click()
    await giveCode(page)
    await expect.poll(async () => (await videoState(page)).position, { timeout: 60_000 }).toBeGreaterThan(0.5)
    // The browser is a device of the account from now on.
    await page.goto(`/player?asset=${film.id}`)
    await expect.poll(async () => (await videoState(page)).position, { timeout: 60_000 }).toBeGreaterThan(0.5)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('A4.6-03 A6-05 a grown-up gives the code, takes over and sees the page', async () => {
    const episode = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
    const { page } = await lou()
    await visit(page, episode.detailRoute)
    await page.getByRole('main').getByRole('button', { name: 'Demander à un adulte' }).click()
    await giveCode(page)
    await switchTo(page, 'Camille')
    await page.waitForURL((url) => url.pathname === episode.detailRoute)
    await page
      .getByRole('main')
      .getByRole('link', { name: /^(Lecture|Reprendre)/ })
      .first()
      .waitFor()
    expect(await page.getByText('n’est pas encore pour toi').count()).toBe(0)
  })
})
