import { and, desc, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { type grantSource, grants } from './entitlements.table.ts'

/** Statuses of a right (A4.1). */
export const GRANT_STATUS = { active: 10, pendingPayment: 20, cancelled: 40, ordered: 60 } as const
export type GrantStatus = (typeof GRANT_STATUS)[keyof typeof GRANT_STATUS]

/**
 * Statuses that give access. A cancelled subscription gives access until the end of the paid period, but does not
 * renew (spec 34).
 */
export const GIVES_ACCESS: readonly GrantStatus[] = [GRANT_STATUS.active, GRANT_STATUS.cancelled]

/** Target of a right: a package, a title or an event, a season or a series, or a channel. */
export type GrantTarget =
  | { packageId: number }
  | { assetId: number }
  | { categoryId: number }
  | { channelId: number }

/** Source of a right. The same source gives the same right only once. */
interface GrantOrigin {
  source: (typeof grantSource.enumValues)[number]
  sourceId: string
}

/** A right that is given to an account. Times are milliseconds since the Unix epoch. */
export interface NewGrant extends GrantOrigin {
  accountId: number
  opens: GrantTarget
  from: number
  /**
   * When the right ends; null for an unlimited right. If `slotSeconds` is set, the rental must be started before
   * this time.
   */
  to: number | null
  /** Only for rentals: how long the title may be watched after the first play, in seconds (spec 49). */
  slotSeconds?: number | undefined
  /** Whether the account may download the content. True by default: only offers forbid downloads. */
  downloads?: boolean
  /**
   * Greatest height of video that the right allows, in lines; no limit if omitted. Only offers limit the height.
   */
  maximumHeight?: number | undefined
  /** Active by default. */
  statusId?: GrantStatus
}

/**
 * Gives an account a right. A repeated call with the same source gives no second right.
 *
 * @returns the id of the right; undefined if the same source has given the right before.
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

/** Gives many rights, each as {@link addGrant} does. */
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

/** Sources of one kind, and the accounts whose rights come from them. */
interface GrantOrigins {
  source: GrantOrigin['source']
  sourceIds: readonly string[]
  accountIds: readonly number[]
}

/** Ends all rights from these sources at the time `at`, in milliseconds since the Unix epoch. */
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
        // The source ids alone identify the rights. The account ids let the query use an index.
        inArray(grants.accountId, [...accountIds]),
        eq(grants.source, source),
        inArray(grants.sourceId, [...sourceIds]),
        isNull(grants.endedAt),
      ),
    )
}

/**
 * Ends the rights to a package that an operator gave, at the time `at`, in milliseconds since the Unix epoch.
 *
 * @returns the number of rights that had not ended yet
 */
export async function endOperatorGrants(
  db: Database | Transaction,
  { accountId, packageId }: { accountId: number; packageId: number },
  at: number,
): Promise<number> {
  const ended = await db
    .update(grants)
    .set({ endedAt: at })
    .where(
      and(
        eq(grants.accountId, accountId),
        eq(grants.packageId, packageId),
        eq(grants.source, 'operator'),
        sql`${endOf()} > ${new Date(at).toISOString()}::timestamptz`,
      ),
    )
    .returning({ id: grants.id })
  return ended.length
}

/**
 * Starts a rental at its first play. If the rental has already started, it continues. A single statement both
 * checks and starts the rental, so that a rental that has just ended cannot start.
 *
 * @returns when the rental ends, in milliseconds since the Unix epoch; undefined if the rental may not be played.
 */
export async function beginRental(
  db: Database | Transaction,
  grantId: number,
  now: number,
): Promise<number | undefined> {
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

/**
 * Returns SQL for the end of a right. A started rental ends `slotSeconds` after its first play, any other right at
 * the end of its validity. A right that was ended early ends at that time.
 */
export function endOf() {
  return sql`least(
    ${grants.endedAt},
    case when ${grants.startedAt} is null or ${grants.slotSeconds} is null then coalesce(${grants.validTo}, 'infinity')
      else ${grants.startedAt} + make_interval(secs => ${grants.slotSeconds}) end
  )`
}

/** A right that an account may already have. */
export interface HeldGrant extends Pick<NewGrant, 'accountId' | 'opens' | 'source'> {
  /** Considers only rights that were given after this time, in milliseconds since the Unix epoch. */
  givenAfter?: number | undefined
}

/**
 * Returns whether one of the accounts already has its right to the target from this kind of source.
 *
 * @param now milliseconds since the Unix epoch
 */
export async function isAnyHeld(
  db: Database | Transaction,
  wanted: readonly HeldGrant[],
  now: number,
): Promise<boolean> {
  if (wanted.length === 0) return false
  const held = await db
    .select({ id: grants.id })
    .from(grants)
    .where(
      and(
        inArray(grants.statusId, [...GIVES_ACCESS]),
        sql`${endOf()} > ${new Date(now).toISOString()}::timestamptz`,
        or(
          ...wanted.map(({ accountId, opens, source, givenAfter }) =>
            and(
              eq(grants.accountId, accountId),
              eq(grants.source, source),
              isTarget(opens),
              givenAfter === undefined ? undefined : gt(grants.validFrom, givenAfter),
            ),
          ),
        ),
      ),
    )
    .limit(1)
  return held.length > 0
}

function isTarget(opens: GrantTarget): SQL {
  if ('packageId' in opens) return eq(grants.packageId, opens.packageId)
  if ('assetId' in opens) return eq(grants.assetId, opens.assetId)
  if ('categoryId' in opens) return eq(grants.categoryId, opens.categoryId)
  return eq(grants.channelId, opens.channelId)
}

/** Title, season or series that an account has rented or bought separately. */
export type Rented = ({ assetId: number } | { categoryId: number }) & {
  /** End of the right in milliseconds since the Unix epoch; infinite for an unlimited right. */
  until: number
}

/**
 * Maximum number of rentals that are read, the latest first. No household reaches this number within many years.
 */
const MOST_RENTALS = 500

/**
 * Returns the titles, seasons and series that an account has rented or bought separately, the latest purchase first.
 * Ended rights are included.
 */
export async function rentedBy(db: Database, accountId: number): Promise<Rented[]> {
  const rows = await db
    .select({
      assetId: grants.assetId,
      categoryId: grants.categoryId,
      until: sql`extract(epoch from ${endOf()}) * 1000`.mapWith(Number),
    })
    .from(grants)
    .where(
      and(
        eq(grants.accountId, accountId),
        inArray(grants.source, ['rental', 'payPerView', 'store']),
        or(isNotNull(grants.assetId), isNotNull(grants.categoryId)),
      ),
    )
    .orderBy(desc(grants.id))
    .limit(MOST_RENTALS)
  return rows.flatMap(({ assetId, categoryId, until }): Rented[] => {
    if (assetId !== null) return [{ assetId, until }]
    return categoryId === null ? [] : [{ categoryId, until }]
  })
}
