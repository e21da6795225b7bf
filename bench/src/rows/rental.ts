import { assetRoute } from '@ondine/contract/slugs'
import { hashPassword } from '@ondine/server/passwords'
import { PASSWORD } from '../catalogue.ts'
import { makeCustomers, sell } from '../customers.ts'
import { percentileFigures } from '../percentile-figures.ts'
import { type Players, playBare, timeToFrame, withPlayers } from '../playing-page.ts'
import type { Row } from '../row.ts'

/**
 * Measures the time from the press on `Louer` (rent) to the first frame of the rented film, with a saved card. A
 * rental takes four presses.
 */
export const rental: Row = {
  name: 'rental',
  measure: async ({ browserTries }) => {
    const emails: string[] = []
    const times = await withPlayers(
      async (players) => {
        const subject: number[] = []
        const reference: number[] = []
        // The first rental only fills the caches.
        for (const [turn, email] of emails.entries()) {
          const ours = await rentFirstFilm(players, email)
          const idAsset = players.catalogue.films[0]?.id ?? 0
          const bare = await playBare(players, { operation: 'readAsset', idAsset })
          await players.bare.reload()
          if (turn === 0) continue
          subject.push(ours)
          reference.push(bare)
        }
        return { subject, reference }
      },
      {
        settings: { SANDBOX_PAYMENTS: 'true' },
        fill: async (context) => {
          await sell(context)
          const customers = await makeCustomers(context, browserTries + 1, await hashPassword(PASSWORD))
          emails.push(...customers.map(({ email }) => email))
        },
      },
    )
    return percentileFigures(
      'from `Louer` to the first frame, saved card, loopback',
      times,
      [
        { mustReach: 10_000, aimsAt: 5000 },
        { mustReach: 10_000, aimsAt: 5000 },
      ],
      `Four presses: Louer, the waiver, Payer, Regarder maintenant; nobody hesitates between them. ${browserTries} customers, each in a new browser profile.`,
    )
  },
}

/** Rents a film and plays it. @returns milliseconds from the first press to the first frame */
async function rentFirstFilm({ origin, catalogue, openAs }: Players, email: string): Promise<number> {
  const page = await openAs(email)
  try {
    await page.goto(`${origin}${assetRoute('Film 1', catalogue.films[0]?.id ?? 0)}`, {
      waitUntil: 'networkidle',
    })
    return await timeToFrame(page, async () => {
      await page.getByRole('link', { name: /^Louer/ }).click()
      await page.getByText('je renonce pour cela').click()
      await page.getByRole('button', { name: /^Payer/ }).click()
      await page.getByRole('link', { name: 'Regarder maintenant' }).click()
    })
  } finally {
    await page.context().close()
  }
}
