import type { Context } from '@ondine/server/context'
import { openDatabase } from '@ondine/server/database/connection'
import { readSettings } from '@ondine/server/env'
import { orderItems, orders, subscriptions } from '@ondine/server/features/rights/orders/orders.table'
import { and, eq, isNotNull, max, min } from 'drizzle-orm'
import { makeCustomers, sell } from '../customers.ts'
import { withInstallation } from '../installation.ts'
import { type LoadResult, load } from '../load.ts'
import type { Row } from '../row.ts'
import { startService } from '../service.ts'

/** Required rate per second, for 100,000 renewals in 15 minutes. The desired time is 5 minutes. */
const MUST_REACH_PER_SECOND = 111
const AIMS_AT_PER_SECOND = 333
/** Number of customers whose subscriptions a single statement stores. */
const SLICE = 2000
/** Maximum wait for the renewal job, which runs every minute, in milliseconds. */
const PATIENCE_MS = 600_000
const READS_PER_SECOND = 50

/**
 * Measures subscriptions that are all due for renewal at the same moment, while other viewers read the catalogue.
 */
export const renewals: Row = {
  name: 'renewals',
  measure: async ({ titles }) => {
    const count = titles / 10
    return await withInstallation(
      'postgresql',
      async (context) => await subscribe(context, count),
      async (installation) => {
        const { environment, catalogue } = installation
        const service = await startService({ ...environment, SANDBOX_PAYMENTS: 'true' })
        const { db, close } = await openDatabase(readSettings(environment))
        const reads = {
          port: service.port,
          connections: 4,
          milliseconds: 1000,
          perSecond: READS_PER_SECOND,
          requests: [
            {
              method: 'POST' as const,
              path: '/proxy/listContent',
              headers: { ...catalogue.tokens, 'content-type': 'application/x-www-form-urlencoded' },
              body: `id=${catalogue.categoryIds[0]}&languageId=fra`,
            },
          ],
        }
        const quiet: LoadResult[] = []
        const busy: LoadResult[] = []
        const givenUpAt = Date.now() + PATIENCE_MS
        for (let done = 0; done < count; ) {
          if (Date.now() > givenUpAt) throw new Error(`Only ${done} of ${count} were renewed.`)
          const looked = await load(reads)
          const before = done
          done = await db.$count(orders, and(isNotNull(orders.periodId), eq(orders.state, 'executed')))
          if (done === 0) quiet.push(looked)
          else if (done > before) busy.push(looked)
        }
        const [times] = await db
          .select({ first: min(orders.submittedAt), last: max(orders.closedAt) })
          .from(orders)
          .where(isNotNull(orders.periodId))
        await close()
        await service.stop()
        return [
          {
            what: 'renewals that are due at the same moment, on PostgreSQL',
            unit: '/s',
            values: [(count * 1000) / ((times?.last ?? 0) - (times?.first ?? 0))],
            target: { better: 'higher', mustReach: MUST_REACH_PER_SECOND, aimsAt: AIMS_AT_PER_SECOND },
            reference: null,
            note: `${count.toLocaleString('en-GB')} subscriptions at the sandbox bank, each charged by its saved card, booked, and with its receipt. 100,000 in 15 minutes are ${MUST_REACH_PER_SECOND}/s.`,
          },
          {
            what: `catalogue reads meanwhile, at ${READS_PER_SECOND}/s, 99 of 100`,
            unit: 'ms',
            values: busy.map(({ p99Ms }) => p99Ms),
            target: { better: 'lower', mustReach: 250, aimsAt: null },
            reference: { what: 'the same before they begin', values: quiet.map(({ p99Ms }) => p99Ms) },
          },
        ]
      },
    )
  },
}

/** Creates accounts with a subscription whose first month has ended. */
async function subscribe(context: Context, count: number): Promise<void> {
  await sell(context)
  const plans = context.offers.list().filter(({ key }) => key.startsWith('m'))
  const customers = await makeCustomers(context, count)
  const periodEnd = Date.now() - 1000
  const begun = new Date(periodEnd)
  begun.setUTCMonth(begun.getUTCMonth() - 1)
  const startedAt = begun.getTime()
  const { db } = context
  for (let first = 0; first < count; first += SLICE) {
    const slice = customers.slice(first, first + SLICE).map((customer, index) => {
      const plan = plans[index % plans.length]
      if (!plan) throw new Error('There are no plans.')
      return { ...customer, plan }
    })
    const ordered = await db
      .insert(orders)
      .values(
        slice.map(({ accountId, plan }) => ({
          accountId,
          state: 'executed' as const,
          content: `bench ${plan.key}`,
          cents: 0,
          vatBasisPoints: 2000,
          submittedAt: startedAt,
          expiresAt: startedAt,
          closedAt: startedAt,
        })),
      )
      .returning({ id: orders.id })
    const items = await db
      .insert(orderItems)
      .values(
        slice.map(({ plan }, index) => ({
          orderId: ordered[index]?.id ?? 0,
          offerRevisionId: plan.revisionId,
          cents: 0,
          trialDays: 0,
        })),
      )
      .returning({ id: orderItems.id })
    await db.insert(subscriptions).values(
      slice.map(({ accountId, methodId, plan }, index) => ({
        accountId,
        plan: plan.terms.plan ?? plan.key,
        offerRevisionId: plan.revisionId,
        orderItemId: items[index]?.id ?? 0,
        statusId: 10,
        startedAt,
        period: 1,
        periodStart: startedAt,
        periodEnd,
        hadTrial: false,
        methodId,
      })),
    )
  }
}
