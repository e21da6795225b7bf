import { contentData, hierarchy } from '@ondine/contract/catalogue'
import type { OutputOf } from '@ondine/contract/operation'
import { beforeAll, describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { axeFaults } from './checks.ts'
import { call, findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

describe('the screens of the catalogue', () => {
  const open = testBrowser()
  const { origin } = sharedService()
  let film = ''
  let series = ''

  beforeAll(async () => {
    film = (await findAsset(origin, 'La Houle')).detailRoute
    const categories = (await call(origin, hierarchy, {})).flatMap((each) => each.categories)
    series = categories.find(({ name }) => name === 'Le Métier')?.detailRoute ?? ''
  })

  it('prefetches the page of an episode on pointer or focus, and no page that does not exist', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`))
    await visit(page, '/series')
    const main = page.getByRole('main')
    await main
      .getByRole('link', { name: /Le Métier/ })
      .first()
      .click()
    await page.waitForURL(/\/series\/.+\/details/)
    await main.getByRole('heading', { level: 1, name: 'Le Métier' }).waitFor()
    const episode = main.locator('ol > li').last()
    const title = episode.getByRole('heading').getByRole('link')
    const id = /\d+$/.exec((await title.getAttribute('href')) ?? '')?.[0]
    await episode.locator('a[href^="/player?"]').focus()
    await title.hover()
    // The link to the player was focused before this link was hovered, so any requests that the focus causes have
    // already been sent.
    await expect.poll(() => asked.join('\n')).toContain(`contentData idAsset=${id}`)
    expect(complaints).toEqual([])
    expect(asked.join('\n')).not.toContain('editorialData')
  })

  it('a series shows its description on a phone, and numbers its episodes before their titles', async () => {
    const { page, complaints } = await open({
      viewport: { width: 360, height: 740 },
    })
    await visit(page, series)
    const main = page.getByRole('main')
    await main.getByText('Dans une filature au bord de l’eau').first().waitFor()
    const episodes = main.locator('ol > li')
    const titles = episodes.getByRole('heading')
    for (const [index, title] of (await titles.all()).entries()) {
      const number = episodes.nth(index).getByText(String(index + 1), { exact: true })
      const [before, after] = [await number.boundingBox(), await title.boundingBox()]
      expect((before?.x ?? 360) + (before?.width ?? 0)).toBeLessThanOrEqual(after?.x ?? 0)
      expect(Math.abs((before?.y ?? 0) - (after?.y ?? 0))).toBeLessThan(4)
    }
    expect(await titles.count()).toBeGreaterThan(0)
    await visit(page, '/series')
    await main.getByText('Dans une filature au bord de l’eau').waitFor()
    expect(complaints).toEqual([])
  })

  it('the skeleton of a film, a series and a channel has the shape of each', async () => {
    const { page } = await open()
    const shapes = new Set<string>()
    for (const [from, call, link] of [
      ['/all-content', 'contentData', `main a[href="${film}"]`],
      ['/search/m%C3%A9tier?type=series', 'contentData', `main a[href="${series}"]`],
      ['/live', 'epg', 'main a[href^="/channel/"]'],
      ['/legal', 'homeContent', 'a[href="/"]'],
    ] as const) {
      await visit(page, from)
      // The call is never answered. The page is left while it waits.
      await page.route(`**/proxy/${call}*`, () => {})
      await page.locator(`${link}:visible`).first().click()
      const shape = page.locator('main [aria-busy="true"]')
      await shape.waitFor()
      shapes.add(
        await shape.evaluate((element) =>
          [...element.querySelectorAll('span')]
            .map((bone) => bone.getBoundingClientRect())
            .map(({ width, height }) => `${Math.round(width)}x${Math.round(height)}`)
            .join(' '),
        ),
      )
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
    expect(shapes.size).toBe(4)
  })

  it('V2.1-24 seasons have the library’s names: specials are not called season 0', async () => {
    const { page, complaints } = await open()
    await visit(page, '/series')
    await page.route('**/proxy/contentData', async (route) => {
      const response = await route.fetch()
      const answer: { result: OutputOf<typeof contentData> } = await response.json()
      const { content } = answer.result
      if (content.type === 'category')
        for (const season of content.payload.categories)
          Object.assign(season, { seasonNumber: 0, name: 'Hors-série' })
      await route.fulfill({ response, json: answer })
    })
    const main = page.getByRole('main')
    await main
      .getByRole('link', { name: /Le Métier/ })
      .first()
      .click()
    await main
      .getByRole('button', { name: /Choisir une saison/ })
      .filter({ hasText: 'Hors-série' })
      .waitFor()
    expect(complaints).toEqual([])
  })

  it('a viewer gives a film stars and removes them; a visitor cannot. Stars that could not be stored disappear again, and the viewer is told', async () => {
    const { page, complaints } = await open()
    await visit(page, film)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByRole('group', { name: 'Votre note' }).count()).toBe(0)
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, film)
    const stars = page.getByRole('group', { name: 'Votre note' })
    const fourth = stars.getByRole('button', { name: '4 sur 5' })
    await fourth.click()
    await expect.poll(async () => await fourth.getAttribute('aria-pressed')).toBe('true')
    await page.getByText(/Note des spectateurs\s: /).waitFor()
    expect(await stars.locator('[data-lit]').count()).toBe(4)
    expect(await axeFaults(page)).toEqual([])
    await visit(page, film)
    expect(await fourth.getAttribute('aria-pressed')).toBe('true')
    await fourth.press('Enter')
    await expect.poll(async () => await fourth.getAttribute('aria-pressed')).toBe('false')
    await page.getByText(/Note des spectateurs\s: /).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])

    await page.route('**/proxy/changeScoreAsset*', async (route) => await route.abort())
    const third = page.getByRole('button', { name: '3 sur 5' })
    await third.click()
    await page.getByRole('alertdialog').waitFor()
    expect(await third.getAttribute('aria-pressed')).toBe('false')
  })

  it('a title does not open with the expanded synopsis of the title before it', async () => {
    const { page, complaints } = await open()
    const episode = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
    await visit(page, '/all-content')
    await page.route('**/proxy/contentData*', async (route) => {
      const response = await route.fetch()
      const answer: { result: OutputOf<typeof contentData> } = await response.json()
      Object.assign(answer.result.content.payload, { description: 'La mer monte encore. '.repeat(60) })
      await route.fulfill({ response, json: answer })
    })
    const main = page.getByRole('main')
    const expand = main.getByRole('button', { name: 'Lire la suite' })
    const collapse = main.getByRole('button', { name: 'Réduire' })
    await page.locator(`main a[href="${film}"]`).first().click()
    await expand.click()
    await collapse.waitFor()
    await page.evaluate((there) => history.pushState({}, '', there), episode.detailRoute)
    await main.getByText('Épisode de la série Le Métier').waitFor()
    await expand.waitFor()
    expect(await collapse.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('a series does not open with the tab of the series before it', async () => {
    const { page } = await open()
    const idCategory = Number(/-(\d+)\/details$/.exec(series)?.[1])
    const answer = await call(origin, contentData, { idAsset: undefined, idCategory })
    Object.assign(answer.content.payload, { name: 'La Relève' })
    await visit(page, series)
    await page.route('**/proxy/contentData*', async (route) => {
      await route.fulfill({ json: { status: true, result: answer } })
    })
    const main = page.getByRole('main')
    const [episodes, about] = ['Épisodes', 'À propos'].map((name) => main.getByRole('tab', { name }))
    await about?.click()
    await expect.poll(async () => await about?.getAttribute('aria-selected')).toBe('true')
    await page.evaluate(() => history.pushState({}, '', '/series/la-releve-999999/details'))
    await main.getByRole('heading', { level: 1, name: 'La Relève' }).waitFor()
    expect(await episodes?.getAttribute('aria-selected')).toBe('true')
  })

  it('related titles are below a film, and their absence does not affect the page', async () => {
    const { page } = await open()
    await page.route('**/cms/search/related*', async (route) => await route.abort())
    await visit(page, '/all-content')
    await page.locator(`main a[href="${film}"]`).first().click()
    await page.getByRole('heading', { level: 1, name: 'La Houle' }).waitFor()
    expect(await page.getByRole('region', { name: 'Dans le même esprit' }).count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'Une erreur est survenue' }).count()).toBe(0)
    const answer = await fetch(`${origin}/proxy/contentData`, {
      method: 'POST',
      body: new URLSearchParams({ idAsset: film.slice(film.lastIndexOf('-') + 1) }),
    })
    const { result } = (await answer.json()) as { result: { content: unknown } }
    await page.route('**/cms/search/related*', async (route) => {
      await route.fulfill({ json: { status: true, result: [result.content] } })
    })
    await visit(page, '/all-content')
    await page.locator(`main a[href="${film}"]`).first().click()
    await page.getByRole('region', { name: 'Dans le même esprit' }).getByRole('link').first().waitFor()
  })

  it.each([
    ['fra', 360, 'Lire les avis sur La Houle', 'Ce qu’on en dit', 'On aime', 'Lire la mer'],
    ['eng', 1280, 'Read the reviews of The Swell', 'What people say', 'Loved', 'Reading the sea'],
  ] as const)(
    'V1-10 V3-40 the summary of a film’s reviews opens by keys, leads to a review and closes, in %s at %i',
    async (language, width, button, title, praise, article) => {
      const { page, complaints } = await open({ viewport: { width, height: 800 } })
      await page.context().addCookies([{ name: 'language', value: language, url: origin }])
      await visit(page, film)
      const opener = page.getByRole('button', { name: button })
      await opener.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: title })
      await dialog.getByRole('heading', { name: praise, exact: true }).waitFor()
      expect(
        await dialog
          .getByRole('listitem')
          .filter({ hasText: /^Solenn Abgrall$/ })
          .count(),
      ).toBe(1)
      expect(await axeFaults(page)).toEqual([])
      const [review] = await Promise.all([
        page.context().waitForEvent('page'),
        dialog.getByRole('link').first().click(),
      ])
      await review.getByRole('heading', { level: 1, name: article }).waitFor()
      await review.close()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
      expect(complaints).toEqual([])
    },
  )
})
