import { availableOffers, type Offer } from '@ondine/contract/offers'
import type { Page } from 'playwright-core'
import { makePerson } from './people.ts'
import { call } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { type Opening, shellPages } from './shell-pages.ts'

/**
 * Provides pages of the shop for the tests of a file, with new buyers. Also provides functions that press the buttons
 * of these pages and of the bank's pages.
 */
export function shopPages() {
  const service = sharedService()
  const { origin, operator, opened } = shellPages()

  /** Opens a page for a new person who is signed in. */
  async function buyer(path: string, opening: Opening = {}): Promise<Page> {
    const { email, password } = await makePerson(service, 'Nour')
    return await opened(path, { ...opening, user: email, password })
  }
  async function offersBy(title: string): Promise<Offer[]> {
    const offers = await call(origin, availableOffers, { contentType: 'VOD_ASSET' })
    return offers.filter((offer) => offer.title === title)
  }
  const main = (page: Page) => page.getByRole('main')
  const heading = (page: Page, name: string | RegExp) => main(page).getByRole('heading', { level: 1, name })
  const card = (page: Page, title: string) =>
    main(page)
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) })

  /** Accepts the terms below the cart, and presses the button that pays. @returns the payment window */
  async function pressPay(page: Page, price: string): Promise<Page> {
    await main(page).getByText('je renonce pour cela').click()
    const [bank] = await Promise.all([
      page.waitForEvent('popup'),
      main(page)
        .getByRole('button', { name: `Payer ${price}` })
        .click(),
    ])
    await bank.getByRole('button', { name: 'Annuler' }).waitFor()
    return bank
  }
  const payAtBank = async (bank: Page) => await bank.getByRole('button', { name: /^Payer/ }).click()

  return { service, origin, operator, opened, buyer, offersBy, main, heading, card, pressPay, payAtBank }
}
