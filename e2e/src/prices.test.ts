import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { availableOffers } from '@ondine/contract/offers'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { expectSound } from './checks.ts'
import { runCommand } from './operator.ts'
import { makePerson } from './people.ts'
import { call, findAsset, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { shellPages } from './shell-pages.ts'

describe('prices on the pages of titles', () => {
  const service = sharedService()
  const { origin, operator, opened } = shellPages()

  const main = (page: Page) => page.getByRole('main')
  const link = (page: Page, name: RegExp | string) => main(page).getByRole('link', { name })
  /** Opens a page for a new person who is signed in. */
  async function newcomer(path: string): Promise<Page> {
    const { email, password } = await makePerson(service, 'Nour')
    return await opened(path, { user: email, password })
  }

  it('A2.1-36 A3-21 a visitor compares the offers of a title in a sheet, and continues from there', async () => {
    const film = await findAsset(origin, 'La Houle')
    const page = await opened(film.detailRoute)
    await link(page, /^Louer 3,99\s€/).waitFor()
    await main(page).getByText('48 heures pour regarder, à partir de la première lecture').waitFor()
    await expectSound(page, 'a title that is sold')
    const compare = main(page).getByRole('button', { name: 'Comparer les offres' })
    await compare.click()
    const sheet = page.getByRole('dialog', { name: 'Choisissez votre offre' })
    await sheet
      .getByRole('list', { name: 'Abonnements' })
      .getByRole('button', { name: /^Cinéma .*5,99\s€ par mois$/ })
      .waitFor()
    await sheet
      .getByRole('list', { name: 'Location ou achat' })
      .getByRole('button', { name: /48 heures .*3,99\s€$/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await compare.click()
    await sheet.getByRole('button', { name: /^Cinéma .*5,99\s€ par mois$/ }).click()
    await page.waitForURL(/\/offers\/cinema-\d+$/)
    await page.goBack()
    await compare.click()
    await sheet.getByRole('button', { name: /48 heures/ }).click()
    await page.waitForURL(/\/auth\/login\?back=.*cart/)
  })

  it('V6-03 A3-25 A2.1-36 a locked channel names its offers on its page, on a programme’s and in the player; it plays after the purchase, also from the page of the offer', async () => {
    const channel = await findChannel(origin, 'Rive')
    const folder = await mkdtemp(join(tmpdir(), 'ondine-offers-'))
    const file = join(folder, 'offers.yaml')
    await writeFile(
      file,
      `offers:
  - key: rive-day
    type: ppv
    name: { fra: Rive pour un jour, eng: Rive for a day }
    price: "1.50"
    channel: ${channel.item.lcn}
    hours: 24
`,
    )
    try {
      await runCommand(service.dataDir, 'offers import', [file])
      const page = await newcomer(channel.detailRoute)
      await link(page, /^Acheter 1,50\s€ : Rive/).waitFor()
      await main(page).getByText('24 heures pour regarder, à partir de l’achat').waitFor()
      await link(page, 'S’abonner').waitFor()
      await expectSound(page, 'a locked channel')

      await main(page).locator('a[href^="/epg/"]').first().click()
      await page.waitForURL(/\/epg\//)
      await link(page, /^Acheter 1,50\s€ : Rive/).waitFor()

      await visit(page, `/player?channel=${channel.idChannel}`)
      const refused = page.getByRole('alertdialog')
      await refused.getByRole('link', { name: 'Voir les offres' }).waitFor()
      await refused.getByRole('link', { name: /^Acheter 1,50\s€$/ }).click()
      await main(page).getByRole('listitem').filter({ hasText: 'Rive pour un jour' }).waitFor()
      await main(page).getByText('je renonce pour cela').click()
      const [bank] = await Promise.all([
        page.waitForEvent('popup'),
        main(page)
          .getByRole('button', { name: /^Payer 1,50/ })
          .click(),
      ])
      await bank.getByRole('button', { name: /^Payer/ }).click()
      await link(page, 'Regarder maintenant').click()
      await page.waitForURL(/\/player\?channel=/)
      await page.getByRole('region', { name: 'Commandes du lecteur' }).waitFor()
      expect(await refused.count()).toBe(0)

      const other = await newcomer('/')
      const offers = await call(origin, availableOffers, { offerType: 'ppv', contentType: 'VOD_ASSET' })
      const day = offers.find(({ title }) => title === 'Rive pour un jour')
      await visit(other, `/offers/rive-${day?.idOption}`)
      await link(other, /^Acheter 1,50\s€ : Rive pour un jour/).click()
      await other.waitForURL(/\/offers\/cart/)
      await main(other).getByRole('listitem').filter({ hasText: 'Rive pour un jour' }).waitFor()
    } finally {
      await runCommand(service.dataDir, 'offers withdraw', ['rive-day'])
      await rm(folder, { recursive: true })
    }
  })

  it('A2.1-22 A2.1-36 the page of a rental leads to the cart with its season, or to the catalogue for a title of choice', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ondine-offers-'))
    const file = join(folder, 'offers.yaml')
    await writeFile(
      file,
      `offers:
  - key: either
    type: transactional
    name: { fra: L’un ou l’autre }
    price: "2.50"
    titles: [La Houle, Le Métier]
`,
    )
    try {
      await runCommand(service.dataDir, 'offers import', [file])
      const offers = await call(origin, availableOffers, {
        offerType: 'transactional',
        contentType: 'VOD_ASSET',
      })
      const page = await newcomer('/')
      const season = offers.find(({ objectIds }) => objectIds.season.length > 0)
      await visit(page, `/offers/season-${season?.idOption}`)
      await link(page, /^Louer 6,99\s€/).click()
      await page.waitForURL(/\/offers\/cart\?.*contentId=\d+/)
      await main(page)
        .getByRole('listitem')
        .filter({ hasText: season?.title ?? '' })
        .waitFor()
      const either = offers.find(({ title }) => title === 'L’un ou l’autre')
      await visit(page, `/offers/either-${either?.idOption}`)
      await main(page).getByText('cette offre se trouve sur sa page').waitFor()
      await expectSound(page, 'the page of a rental')
      await link(page, 'Voir le catalogue').click()
      await page.waitForURL(`${origin}/all-content`)
    } finally {
      await runCommand(service.dataDir, 'offers withdraw', ['either'])
      await rm(folder, { recursive: true })
    }
  })

  it('V4-39 the next episode is rented for its price where the subscriptions do not include it', async () => {
    const first = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
    await operator.set({ 'player.bingeTiming': 600 })
    const page = await opened('/legal', { user: 'subscriber@ondine.test' })
    await page.route('**/proxy/contentData', async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      if (answer.result.next !== null)
        Object.assign(answer.result.next, { isIncludedInUserOffers: false, rentalPrice: '6.99' })
      await route.fulfill({ response, json: answer })
    })
    await visit(page, `/player?asset=${first.id}`)
    const next = page.getByRole('region', { name: /^Épisode suivant/ })
    const rent = next.getByRole('link', { name: /^Louer 6,99\s€$/ })
    await rent.waitFor()
    expect(await rent.getAttribute('href')).toMatch(/\/offers\/cart\?contentId=\d+&contentType=VOD_ASSET$/)
    await page.unrouteAll({ behavior: 'wait' })
  })
})
