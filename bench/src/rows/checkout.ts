import { type Catalogue } from '../catalogue.ts'
import { type Customer, makeCustomers, sell } from '../customers.ts'
import { DATABASE_NAMES, type DatabaseKind, withInstallation } from '../installation.ts'
import type { Effort, Figure, Row } from '../row.ts'
import { startPeer, startService } from '../service.ts'

const CUSTOMERS = 400
/** Number of customers who buy in parallel. */
const LANES = 16
const MUST_REACH: Record<DatabaseKind, number> = { postgresql: 200, embedded: 100 }
const AIMS_AT: Record<DatabaseKind, number> = { postgresql: 600, embedded: 300 }

/**
 * Measures rentals with a saved card: cart, payment, and status calls until the service has executed the order.
 */
export const checkout: Row = {
  name: 'checkout',
  measure: async (effort) => [await measureOn('postgresql', effort), await measureOn('embedded', effort)],
}

async function measureOn(kind: DatabaseKind, { rounds, roundMs }: Effort): Promise<Figure> {
  return await withInstallation(
    kind,
    async (context) => {
      await sell(context)
      const rental = context.offers.list().find(({ key }) => key === 'rental')
      if (!rental) throw new Error('Nothing can be rented.')
      return { customers: await makeCustomers(context, CUSTOMERS), optionId: rental.id }
    },
    async ({ environment, catalogue }, { customers, optionId }) => {
      const service = await startService({ ...environment, SANDBOX_PAYMENTS: 'true' })
      const peer = await startPeer('empty-route')
      const shop = { origin: service.origin, optionId, catalogue }
      const orders: number[] = []
      const nothing: number[] = []
      await ratePerSecond(customers, roundMs, async (customer, turn) => await rent(shop, customer, turn))
      for (let round = 0; round < rounds; round++) {
        orders.push(
          await ratePerSecond(customers, roundMs, async (customer, turn) => await rent(shop, customer, turn)),
        )
        nothing.push(
          await ratePerSecond(customers, roundMs, async ({ tokens }) => {
            for (let call = 0; call < 3; call++) await send(peer.origin, tokens, { languageId: 'fra' })
          }),
        )
      }
      await service.stop()
      await peer.stop()
      return {
        what: `orders from addOptions to executed, saved card, on ${DATABASE_NAMES[kind]}`,
        unit: '/s',
        values: orders,
        target: { better: 'higher', mustReach: MUST_REACH[kind], aimsAt: AIMS_AT[kind] },
        reference: { what: 'three calls of an empty Fastify route', values: nothing },
        note: `${CUSTOMERS} customers, ${LANES} at a time, at the sandbox bank, which is in the same process and database. Who asks shares the machine.`,
      }
    },
  )
}

interface Shop {
  origin: string
  optionId: number
  catalogue: Catalogue
}

/** Rents a film. Each turn rents the next film, and after the last film the first again. */
async function rent({ origin, optionId, catalogue }: Shop, { tokens, methodId }: Customer, turn: number) {
  const film = catalogue.films[turn % 3]
  if (!film) throw new Error('There are no films.')
  const call = async <Result>(operation: string, fields: Record<string, string>) =>
    (
      (await send(`${origin}/proxy/${operation}`, tokens, { ...fields, languageId: 'fra' })) as {
        result: Result
      }
    ).result
  await call('addOptions', {
    optionIds: JSON.stringify([optionId]),
    extra: JSON.stringify({ context: { contentId: film.id, contentType: 'VOD_ASSET' } }),
  })
  const { orderId } = await call<{ orderId: number }>('askPayment', {
    returnUrl: `${origin}/offers/confirmation`,
    paymentData: '{"brandBillingProviderId":5}',
    paymentMethod: `saved-${methodId}`,
    policyValidation: 'true',
  })
  const query = new URLSearchParams({ orderId: String(orderId), languageId: 'fra' })
  const answer = await fetch(`${origin}/proxy/checkOrderStatus?${query}`, { headers: tokens })
  const { result } = (await answer.json()) as { result: { orderStatus: string } }
  if (result.orderStatus !== 'executed') throw new Error(`The order is ${result.orderStatus}.`)
}

async function send(address: string, tokens: Record<string, string>, fields: Record<string, string>) {
  const answer = await fetch(address, { method: 'POST', headers: tokens, body: new URLSearchParams(fields) })
  if (!answer.ok)
    throw new Error(`${address} answers ${answer.status}: ${(await answer.text()).slice(0, 200)}`)
  return await answer.json()
}

/**
 * Returns the number of customers served per second. Each customer in parallel (lane) makes one purchase after the
 * other.
 */
async function ratePerSecond(
  customers: readonly Customer[],
  milliseconds: number,
  buy: (customer: Customer, turn: number) => Promise<void>,
): Promise<number> {
  let done = 0
  const startedAt = performance.now()
  const endsAt = startedAt + milliseconds
  await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      for (let turn = lane; performance.now() < endsAt; turn += LANES) {
        const customer = customers[turn % customers.length]
        if (!customer) return
        await buy(customer, Math.floor(turn / customers.length))
        done++
      }
    }),
  )
  return (done * 1000) / (performance.now() - startedAt)
}
