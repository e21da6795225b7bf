import { type SQL, sql } from 'drizzle-orm'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../database/connection.ts'
import { rowsOf } from '../../../database/rows.ts'
import { disputeAdvice } from '../orders/settlement.service.ts'
import { type PaymentProvider } from '../payments/payment-provider.ts'
import type { PaymentProviders } from '../payments/payments.service.ts'
import { ProviderSilent } from '../payments/payments.service.ts'

/** A mismatch that the check found. */
interface LedgerFault {
  /** The record with the fault, such as `order 12` or `payment 7`. */
  subject: string
  fault: string
}

/** Result of a check. */
export interface LedgerCheck {
  orders: number
  payments: number
  faults: LedgerFault[]
}

/** A kind of fault. The query `ids` returns the ids of the records that have the fault. */
interface Rule {
  subject: 'order' | 'payment' | 'right' | 'code'
  fault: string
  ids: SQL
}

/** A paid order counts as stuck if it is not executed this long after its submission. In milliseconds. */
const STUCK_MS = 3_600_000

/**
 * Returns SQL for a sum in cents: the amount that movements of `kind` book to a ledger account for the payment
 * `p`.
 */
const booked = (kind: string, account: string) => sql`(
  select coalesce(sum(e.cents), 0) from ledger_movements m join ledger_entries e on e.movement_id = m.id
  where m.payment_id = p.id and m.kind = ${kind} and e.account = ${account})`
const isSold = sql`exists (select from ledger_movements m where m.payment_id = p.id and m.kind = 'sale')`
const receiptOf = (kind: string) => sql`select from receipts r where r.payment_id = p.id and r.kind = ${kind}`
const rightsOf = sql`select from grants g
  where g.source in ('subscription', 'rental', 'payPerView') and g.source_id = i.id::text and g.account_id = o.account_id`

const rulesAt = (now: number): readonly Rule[] => [
  {
    subject: 'payment',
    fault: 'was received, but the ledger has another amount',
    ids: sql`select p.id from payments p
      where p.state in ('succeeded', 'refundDue', 'refunded') and ${booked('payment', 'provider')} <> p.cents`,
  },
  {
    subject: 'payment',
    fault: 'was not received, but the ledger has it',
    ids: sql`select p.id from payments p
      where p.state in ('open', 'failed') and exists (select from ledger_movements m where m.payment_id = p.id)`,
  },
  {
    subject: 'payment',
    fault: 'is refunded here or in the ledger, but not in both',
    ids: sql`select p.id from payments p
      where -${booked('refund', 'provider')} <> case when p.state = 'refunded' then p.cents else 0 end`,
  },
  {
    subject: 'payment',
    fault: 'has a sale, but no receipt of its amount and VAT',
    ids: sql`select p.id from payments p where ${isSold} and not exists (
      ${receiptOf('receipt')} and r.cents = p.cents and r.vat_cents = -${booked('sale', 'vat')})`,
  },
  {
    subject: 'payment',
    fault: 'has a receipt, but no sale',
    ids: sql`select p.id from payments p where exists (${receiptOf('receipt')}) and not ${isSold}`,
  },
  {
    subject: 'payment',
    fault: 'has a refund of a sale or a credit note, but not both',
    ids: sql`select p.id from payments p
      where (${isSold} and p.state = 'refunded') <> exists (${receiptOf('creditNote')})`,
  },
  {
    subject: 'order',
    fault: 'has another amount than its offers',
    ids: sql`select o.id from orders o where (o.cents, o.discount_cents) <> (
      select coalesce(sum(i.cents), 0), coalesce(sum(i.discount_cents), 0) from order_items i where i.order_id = o.id)`,
  },
  {
    subject: 'order',
    fault: 'has another amount than its payment',
    ids: sql`select o.id from orders o left join payments p on p.id = o.payment_id where o.cents <> coalesce(p.cents, 0)`,
  },
  {
    subject: 'order',
    fault: 'is an executed upgrade, but the subscription that it replaces has not ended',
    ids: sql`select o.id from orders o join subscriptions s on s.id = o.replaces_id
      where o.state = 'executed' and s.ended_at is null`,
  },
  {
    subject: 'order',
    fault: 'is executed, but was not paid',
    ids: sql`select o.id from orders o join payments p on p.id = o.payment_id
      where o.state = 'executed' and (p.state not in ('succeeded', 'refundDue', 'refunded') or (p.cents > 0 and not ${isSold}))`,
  },
  {
    subject: 'order',
    fault: 'was paid and gives no rights, but is not refunded',
    ids: sql`select o.id from orders o join payments p on p.id = o.payment_id
      where o.state in ('failed', 'expired') and ((p.cents > 0 and p.state = 'succeeded') or ${isSold})`,
  },
  {
    subject: 'order',
    fault: 'is paid, but was not executed for an hour',
    ids: sql`select o.id from orders o where o.state = 'to_execute' and o.submitted_at < ${new Date(now - STUCK_MS).toISOString()}::timestamptz`,
  },
  {
    // When a title, season or channel is deleted, the rights to it are deleted too. So order items for deleted
    // content are not checked.
    subject: 'order',
    fault: 'is executed, but one of its offers gave no right',
    ids: sql`select o.id from orders o join order_items i on i.order_id = o.id
        join offer_revisions v on v.id = i.offer_revision_id
      where o.state = 'executed' and o.card_for_id is null and not exists (${rightsOf}) and case v.terms -> 'opens' ->> 'kind'
        when 'title' then exists (select from assets a where a.id = i.asset_id)
        when 'season' then exists (select from categories c where c.id = (v.terms -> 'opens' ->> 'categoryId')::integer)
        when 'channel' then exists (select from channels c where c.id = (v.terms -> 'opens' ->> 'channelId')::integer)
        else jsonb_array_length(v.terms -> 'packageIds') > 0 end`,
  },
  {
    subject: 'order',
    fault: 'is refunded, but one of its rights has not ended',
    ids: sql`select o.id from orders o join payments p on p.id = o.payment_id join order_items i on i.order_id = o.id
      where o.state = 'executed' and p.state in ('refundDue', 'refunded') and exists (${rightsOf} and g.ended_at is null)`,
  },
  {
    subject: 'right',
    fault: 'was bought, but no executed order of its account has it',
    ids: sql`select g.id from grants g where g.source in ('rental', 'payPerView') and not exists (
      select from order_items i join orders o on o.id = i.order_id
      where i.id::text = g.source_id and o.account_id = g.account_id and o.state = 'executed')`,
  },
  {
    subject: 'right',
    fault: 'is a gift, but no code was used for it',
    ids: sql`select g.id from grants g where g.source = 'gift' and not exists (
      select from voucher_uses u where u.id::text = g.source_id and u.account_id = g.account_id and u.released_at is null)`,
  },
  {
    subject: 'code',
    fault: 'counts another number of uses than it has',
    ids: sql`select c.id from voucher_codes c where c.uses <> (
      select count(*) from voucher_uses u where u.code_id = c.id and u.released_at is null)`,
  },
  {
    subject: 'order',
    fault: 'is closed but keeps the use of its voucher, or is open but has released it',
    ids: sql`select o.id from orders o join voucher_uses u on u.id = o.voucher_use_id
      where (o.state in ('failed', 'expired')) <> (u.released_at is not null)`,
  },
]

/** Number of payments that one query reads. */
const SLICE = 500

/**
 * Compares orders, payments, rights, receipts, the ledger and the books of the providers. Changes nothing. A
 * purchase during the check can look like a fault. A fault that two successive checks report is real.
 */
export async function checkLedger(parts: {
  db: Database
  clock: Clock
  providers: PaymentProviders
}): Promise<LedgerCheck> {
  const { db, clock, providers } = parts
  const faults: LedgerFault[] = []
  for (const { subject, fault, ids } of rulesAt(clock.now())) {
    const found = await rowsOf<{ id: number }>(db, sql`select distinct id from (${ids}) as found order by id`)
    faults.push(...found.map(({ id }) => ({ subject: `${subject} ${id}`, fault })))
  }
  faults.push(...(await numberFaults(db)))
  const asked = await askProviders(db, providers)
  const [counted] = await rowsOf<{ orders: number }>(db, sql`select count(*)::integer as orders from orders`)
  return { orders: counted?.orders ?? 0, payments: asked.payments, faults: [...faults, ...asked.faults] }
}

/**
 * Returns a fault for each year whose receipt numbers have a gap. Credit notes have a separate number sequence,
 * which is checked in the same way.
 */
async function numberFaults(db: Database): Promise<LedgerFault[]> {
  const series = await rowsOf<{ kind: string; year: number }>(
    db,
    sql`select c.kind, c.year from receipt_counters c
      left join (select kind, year, count(*) as count, max(number) as last from receipts group by kind, year) r
        on r.kind = c.kind and r.year = c.year
      where (coalesce(r.count, 0), coalesce(r.last, 0)) <> (c.last, c.last)`,
  )
  return series.map(({ kind, year }) => ({
    subject: `${kind === 'receipt' ? 'receipts' : 'credit notes'} of ${year}`,
    fault: 'a number is missing',
  }))
}

interface ComparedPayment {
  id: number
  /** Null for a payment without an order. */
  orderId: number | null
  provider: string
  key: string
  state: string
  cents: number
  isOver: boolean
}

/** Compares each payment with the books of its provider. Returns the number of payments and the faults. */
async function askProviders(
  db: Database,
  providers: PaymentProviders,
): Promise<{ payments: number; faults: LedgerFault[] }> {
  const faults: LedgerFault[] = []
  let payments = 0
  for (let after = 0; ; ) {
    const some = await rowsOf<ComparedPayment>(
      db,
      sql`select p.id, o.id as "orderId", p.provider, p.key, p.state, p.cents, coalesce(o.state in ('failed', 'expired', 'executed'), true) as "isOver"
        from payments p left join orders o on o.payment_id = p.id
        where p.id > ${after} order by p.id limit ${SLICE}`,
    )
    for (const payment of some) {
      const fault = await bookFault(payment, providers.get(payment.provider))
      if (fault !== undefined) faults.push({ subject: `payment ${payment.id}`, fault })
    }
    payments += some.length
    after = some.at(-1)?.id ?? after
    if (some.length < SLICE) return { payments, faults }
  }
}

async function bookFault(
  payment: ComparedPayment,
  provider: PaymentProvider | undefined,
): Promise<string | undefined> {
  if (!provider) return `its provider ${payment.provider} is switched off`
  try {
    const book = await provider.bookOf(payment.key)
    const { received, refunded, isTakenBack } = book ?? { received: 0, refunded: 0, isTakenBack: false }
    const { orderId, state, cents, isOver } = payment
    if (state === 'open' || state === 'failed')
      // While the order is open, a received payment is not a fault: the service is about to book it.
      return received > refunded && isOver ? 'was not received here, but its provider has it' : undefined
    if (received !== cents) return `has another amount at its provider: ${received} cents, not ${cents}`
    if (state === 'succeeded' && refunded > 0) return 'is refunded at its provider, but not here'
    if (state === 'succeeded' && isTakenBack && orderId !== null)
      return `was taken back by the bank of the customer: ${disputeAdvice(orderId)}`
    if (state === 'refunded' && refunded !== cents && !isTakenBack)
      return 'is refunded here, but not at its provider'
    return undefined
  } catch (error) {
    if (!(error instanceof ProviderSilent)) throw error
    return 'its provider does not answer'
  }
}
