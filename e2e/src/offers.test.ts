import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { findAsset } from './service-calls.ts'
import { shellPages } from './shell-pages.ts'

/** What stands in the native shell beside a page. */
const NATIVE = 'window.Capacitor = { isNativePlatform: () => true }'

/** A shop of the operator's own, outside of the service. */
const SHOP = { 'offers.subscription': 'external', 'offers.externalUrl': 'https://shop.test/plans' }

describe('the way to what is sold', () => {
  const { origin, operator, opened } = shellPages()

  it('A4.8-11 V3-52 what is locked leads to the offers, and these to the operator’s own shop, here or in a new window', async () => {
    await operator.set(SHOP)
    const film = await findAsset(origin, 'La Houle')
    const page = await opened(film.detailRoute, { user: 'renter@ondine.test' })
    const main = page.getByRole('main')
    await main.getByText('Votre abonnement ne comprend pas ce titre.').first().waitFor()
    await main.getByRole('link', { name: 'S’abonner' }).click()
    await page.waitForURL(`${origin}/offers`)
    const way = main.getByRole('link', { name: 'S’abonner' })
    // The address is another before its page is there, on which the title's own way is gone.
    await expect.poll(async () => await way.getAttribute('href')).toBe('https://shop.test/plans')
    expect(await main.getByRole('link').count()).toBe(1)

    await page
      .context()
      .route('https://shop.test/**', async (route) => await route.fulfill({ body: 'The shop' }))
    await operator.set({ 'offers.billingRedirectionMode': 'new-tab' })
    await expect.poll(async () => await way.getAttribute('target')).toBe('_blank')
    const [shop] = await Promise.all([page.waitForEvent('popup'), way.click()])
    await shop.getByText('The shop').waitFor()
    expect(new URL(page.url()).pathname).toBe('/offers')

    await operator.set({ 'offers.billingRedirectionMode': 'same-tab' })
    await expect.poll(async () => await way.getAttribute('target')).toBe(null)
    await way.click()
    await page.getByText('The shop').waitFor()
    expect(page.url()).toBe('https://shop.test/plans')
  })

  it('A4.2-01 A4.2-02 where nothing is sold the offers say so, with a way on, and what is locked leads to none', async () => {
    await operator.set({ 'offers.subscription': 'disabled', 'offers.transactional': 'disabled' })
    const page = await opened('/offers', { user: 'renter@ondine.test' })
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: 'Aucune offre en ce moment' }).waitFor()
    await main.getByRole('link', { name: 'Voir le catalogue' }).click()
    await page.waitForURL(`${origin}/all-content`)
    await main
      .getByRole('link', { name: /La Houle/ })
      .first()
      .click()
    await main.getByText('Votre abonnement ne comprend pas ce titre.').first().waitFor()
    expect(await main.getByRole('link', { name: 'S’abonner' }).count()).toBe(0)
    // A cart is for rentals, and there are none either.
    await visit(page, '/offers/cart')
    await main.getByRole('heading', { name: 'Aucune offre en ce moment' }).waitFor()
  })

  it('A4.8-12 V1-04 a native app sells nothing and says where to go, unless mobilePayment is on', async () => {
    await operator.set({ ...SHOP, 'settings.share-url': 'https://watch.test' })
    const film = await findAsset(origin, 'La Houle')
    const page = await opened(film.detailRoute, { user: 'renter@ondine.test', script: NATIVE })
    const main = page.getByRole('main')
    const website = /Les achats ne sont pas possibles dans cette application/
    await main.getByRole('button', { name: 'S’abonner' }).click()
    await page.getByRole('dialog').getByText(website).waitFor()
    await page.keyboard.press('Escape')
    for (const path of ['/offers', '/offers/cart']) {
      await visit(page, path)
      await main.getByText(website).waitFor()
      const links = await main
        .getByRole('link')
        .evaluateAll((all) => all.map((each) => each.getAttribute('href')))
      expect(links).toEqual(['https://watch.test/offers', '/'])
    }
    await operator.set({ 'offers.mobilePayment': true })
    await visit(page, '/offers')
    await main.locator('a[href="https://shop.test/plans"]').waitFor()
  })
})
