import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { availableOffers } from '@ondine/contract/offers'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { runCommand } from '../operator.ts'
import { makePerson, type Person } from '../people.ts'
import { sharedService } from '../shared-service.ts'
import { buy } from './buy.ts'
import { callAs } from './viewers.ts'
import { visit } from './visit.ts'

const DAY_MS = 86_400_000
const TITLE = 'Marée montante'
const offersAt = (price: string) => `packages:
  - { key: announced-price, name: { fra: Essai } }
offers:
  - { key: announced-price, type: subscription, name: { fra: ${TITLE}, eng: Rising tide }, price: "${price}", every: month, packages: [announced-price] }
`

describe('the price of a subscription', () => {
  const service = sharedService()
  const { dataDir } = service

  beforeAll(async () => await importOffers('8.99'))
  afterAll(async () => void (await runCommand(dataDir, 'offers withdraw', ['announced-price'])))

  async function importOffers(price: string): Promise<void> {
    const file = join(tmpdir(), `ondine-announced-${Date.now()}.yaml`)
    await writeFile(file, offersAt(price))
    await runCommand(dataDir, 'offers import', [file])
  }

  /** Buys the subscription for a person, with a card at the bank. */
  async function subscribe(person: Person): Promise<void> {
    const offers = await callAs(person, availableOffers, {
      offerType: 'subscription',
      contentType: 'VOD_ASSET',
    })
    await buy(person, offers.find(({ title }) => title === TITLE)?.idOption ?? 0)
  }

  it('A2.1-18 is announced before it rises, with its first charge and how to leave', async () => {
    const person = await makePerson(service, 'Anne')
    await subscribe(person)
    await importOffers('9.99')
    // The next charge is at most 31 days away. It is before this day in every month.
    const from = new Date(Date.now() + 40 * DAY_MS).toISOString().slice(0, 10)
    await runCommand(dataDir, 'offers migrate', ['announced-price'], { from })
    const page = await visit('/account/products', { viewer: person })
    page.main.getByRole('heading', { name: TITLE })
    // The next charge still has the old price.
    page.main.getByText(/^Renouvellement le .* pour 8,99 €$/)
    page.main.getByText(/^Nouveau prix à partir du .* : 9,99 €\. Vous pouvez résilier d’ici là\.$/)
  })
})
