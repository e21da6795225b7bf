import { addGrants } from '@ondine/server/features/rights/entitlements/grants.service'
import { makeCustomers, sell } from '../customers.ts'
import { withInstallation } from '../installation.ts'
import { answerRates, loadInTurns } from '../load.ts'
import type { Figure, Row } from '../row.ts'
import { startPeer, startService } from '../service.ts'
import { summarise } from '../statistics.ts'

const CONNECTIONS = 32
const CUSTOMERS = 200
/** Number of titles that each customer has rented. */
const RENTED = 3
/** Required and desired rates, as fractions of the rate of a route that does nothing. */
const OF_EMPTY = { mustReach: 0.25, aimsAt: 0.5 }
/** Required and desired rates, as fractions of the rate for viewers without rentals. */
const OF_UNRENTED = { mustReach: 0.8, aimsAt: 0.95 }

/** Measures the calls of the shop's screens, and how much rentals slow viewers who read the catalogue. */
export const shopReads: Row = {
  name: 'shop-reads',
  measure: async ({ rounds, roundMs }) =>
    await withInstallation(
      'postgresql',
      async (context, { films }) => {
        await sell(context)
        const customers = await makeCustomers(context, 2 * CUSTOMERS)
        const renters = customers.slice(CUSTOMERS)
        const from = Date.now() - 3_600_000
        await addGrants(
          context.db,
          renters.flatMap(({ accountId }) =>
            films.slice(0, RENTED).map(({ id: assetId }) => ({
              accountId,
              opens: { assetId },
              source: 'rental' as const,
              sourceId: `bench ${assetId}`,
              from,
              to: from + 30 * 86_400_000,
              slotSeconds: 172_800,
            })),
          ),
        )
        return { others: customers.slice(0, CUSTOMERS), renters }
      },
      async ({ environment, catalogue }, { others, renters }) => {
        const service = await startService({ ...environment, SANDBOX_PAYMENTS: 'true' })
        const peer = await startPeer('empty-route')
        const common = { connections: CONNECTIONS, milliseconds: roundMs }
        const asked = (path: string, body: string, people = others) =>
          people.map(({ tokens }) => ({
            method: 'POST' as const,
            path,
            headers: { ...tokens, 'content-type': 'application/x-www-form-urlencoded' },
            body: `${body}languageId=fra`,
          }))
        const figures: Figure[] = []
        for (const operation of ['availableOffers', 'listOptions']) {
          const rates = await loadInTurns(
            { ...common, port: service.port, requests: asked(`/proxy/${operation}`, '') },
            { ...common, port: peer.port, requests: asked('/', '') },
            rounds,
          )
          const empty = summarise(answerRates(rates.reference)).median
          figures.push({
            what: `${operation}, signed in, on PostgreSQL`,
            unit: '/s',
            values: answerRates(rates.subject),
            target: {
              better: 'higher',
              mustReach: empty * OF_EMPTY.mustReach,
              aimsAt: empty * OF_EMPTY.aimsAt,
            },
            reference: { what: 'an empty Fastify route', values: answerRates(rates.reference) },
          })
        }
        const list = `id=${catalogue.categoryIds[0]}&`
        const rates = await loadInTurns(
          { ...common, port: service.port, requests: asked('/proxy/listContent', list, renters) },
          { ...common, port: service.port, requests: asked('/proxy/listContent', list) },
          rounds,
        )
        const unrented = summarise(answerRates(rates.reference)).median
        figures.push({
          what: `catalogue reads of viewers with ${RENTED} rentals, on PostgreSQL`,
          unit: '/s',
          values: answerRates(rates.subject),
          target: {
            better: 'higher',
            mustReach: unrented * OF_UNRENTED.mustReach,
            aimsAt: unrented * OF_UNRENTED.aimsAt,
          },
          reference: { what: 'the same of viewers without', values: answerRates(rates.reference) },
          note: `${CUSTOMERS} viewers each. They read the same list again and again, as viewers do who come back to it from a title.`,
        })
        await service.stop()
        await peer.stop()
        return figures
      },
    ),
}
