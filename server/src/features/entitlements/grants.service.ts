import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import { type grantSource, grants } from './entitlements.table.ts'

/** Statuses of a right (A4.1). */
export const GRANT_STATUS = { active: 10, pendingPayment: 20, cancelled: 40, ordered: 60 } as const
export type GrantStatus = (typeof GRANT_STATUS)[keyof typeof GRANT_STATUS]

/** A cancelled subscription is paid for until its end: it does not renew, but it plays (spec decision 34). */
export const GIVES_ACCESS: readonly GrantStatus[] = [GRANT_STATUS.active, GRANT_STATUS.cancelled]

/** What a right opens: a package, a title or an event, a season or a series, or a channel. */
export type Opened =
  | { packageId: number }
  | { assetId: number }
  | { categoryId: number }
  | { channelId: number }

/** Where a right comes from. The same source gives the same right once. */
export interface GrantOrigin {
  source: (typeof grantSource.enumValues)[number]
  sourceId: string
}

/** A right that an account is given. Times are milliseconds since the Unix epoch. */
export interface NewGrant extends GrantOrigin {
  accountId: number
  opens: Opened
  from: number
  /** Null: until further notice. With a slot, until when it has to be begun. */
  to: number | null
  /** How long it plays from its first play on, in seconds (spec decision 49). */
  slotSeconds?: number | undefined
  /** Default active. */
  statusId?: GrantStatus
}

/**
 * Gives an account a right. A step that is done again gives nothing twice.
 *
 * @returns the id of the right; undefined when its source has given it before.
 */
export async function addGrant(
  db: Database | Transaction,
  { opens, from, to, statusId = GRANT_STATUS.active, ...grant }: NewGrant,
): Promise<number | undefined> {
  const [row] = await db
    .insert(grants)
    .values({ ...grant, ...opens, statusId, validFrom: from, validTo: to })
    .onConflictDoNothing()
    .returning({ id: grants.id })
  return row?.id
}

/** As {@link addGrant}, for many. */
export async function addGrants(db: Database | Transaction, all: readonly NewGrant[]): Promise<void> {
  if (all.length === 0) return
  const rows = all.map(({ opens, from, to, statusId = GRANT_STATUS.active, ...grant }) => ({
    ...grant,
    ...opens,
    statusId,
    validFrom: from,
    validTo: to,
  }))
  await db.insert(grants).values(rows).onConflictDoNothing()
}

/** Sources of a kind, and the accounts that they gave rights to. */
export interface GrantOrigins {
  source: GrantOrigin['source']
  sourceIds: readonly string[]
  accountIds: readonly number[]
}

/** Ends all rights of some sources before their time, at `at`. */
export async function endGrants(
  db: Database | Transaction,
  { source, sourceIds, accountIds }: GrantOrigins,
  at: number,
): Promise<void> {
  if (sourceIds.length === 0) return
  await db
    .update(grants)
    .set({ endedAt: at })
    .where(
      and(
        // The sources alone say which. Rights are found by their accounts.
        inArray(grants.accountId, [...accountIds]),
        eq(grants.source, source),
        inArray(grants.sourceId, [...sourceIds]),
        isNull(grants.endedAt),
      ),
    )
}

/**
 * Begins a rental with its first play; one that has begun goes on. It is looked at and begun in one statement, so that
 * nothing that ended a moment ago is begun.
 *
 * @returns when it ends, in milliseconds since the Unix epoch; undefined when it may not be played.
 */
export async function beginRental(db: Database, grantId: number, now: number): Promise<number | undefined> {
  const at = sql`${new Date(now).toISOString()}::timestamptz`
  const [row] = await db
    .update(grants)
    .set({ startedAt: sql`coalesce(${grants.startedAt}, ${at})` })
    .where(
      and(
        eq(grants.id, grantId),
        inArray(grants.statusId, [...GIVES_ACCESS]),
        sql`${grants.validFrom} <= ${at}`,
        sql`${endOf()} > ${at}`,
      ),
    )
    .returning({ end: sql<string | null>`extract(epoch from ${endOf()}) * 1000` })
  return row?.end == null ? undefined : Number(row.end)
}

/** When a right ends: a rental that has begun after its slot, anything else by its term; earlier where it was ended. */
export function endOf() {
  return sql`least(
    ${grants.endedAt},
    case when ${grants.startedAt} is null or ${grants.slotSeconds} is null then coalesce(${grants.validTo}, 'infinity')
      else ${grants.startedAt} + make_interval(secs => ${grants.slotSeconds}) end
  )`
}
