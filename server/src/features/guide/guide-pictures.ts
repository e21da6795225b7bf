import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, not, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import type { Database } from '../../database/connection.ts'
import { Pace } from '../../database/pace.ts'
import { channels } from '../channels/channels.table.ts'
import { type FetchedPicture, fetchPictures, MissingPicture, SilentHost } from '../channels/fetch-picture.ts'
import { guidePictures, programmes } from './guide.table.ts'

/** The kind of work that fetches pictures of programmes. */
export const FETCH_PICTURES = 'programme-pictures'
/** One round at a time: what one forgets, another could be about to note. */
export const PICTURE_JOB = { alone: true, retries: 0, expireSeconds: 3600 }

const MOST_BYTES = 8_000_000
/** In bytes: an index has no room for longer ones. */
const LONGEST_ADDRESS = 2000
/** A programme has its picture so long before it begins, in milliseconds. */
const AHEAD_MS = 48 * 3600_000
/** What could not be had is tried again after this, in milliseconds. */
const RETRY_MS = 24 * 3600_000
const AT_ONCE = 4

/** What a round came to. */
export interface FetchedPictures {
  fetched: number
  /** Those that could not be had. */
  missing: number
  forgotten: number
}

/** Channels whose programmes are read at once. */
const MOST_CHANNELS = { embedded: 50, postgresql: 200 } as const
const LEAST_CHANNELS = 10

type Parts = Pick<Context, 'db' | 'images' | 'settings' | 'log' | 'clock' | 'connection'>

/** Has pictures fetched as soon as a worker is free. */
export async function requestGuidePictures({ jobs }: Pick<Context, 'jobs'>): Promise<void> {
  await jobs.declare(FETCH_PICTURES, PICTURE_JOB)
  await jobs.send(FETCH_PICTURES, FETCH_PICTURES, {})
}

/**
 * Fetches the pictures of what is on within two days, what is on next first, and forgets those that no programme has any more. At most
 * `GUIDE_PICTURES` are kept.
 */
export async function fetchGuidePictures(context: Parts, signal: AbortSignal): Promise<FetchedPictures> {
  const { db, clock } = context
  const kept = await findKept(db)
  const named = await findNamed(context, kept)
  const wanted = named.filter(({ isDue }) => isDue).map(({ address }) => address)
  const forgotten = await forgetUnused(context, kept, named)
  const done: FetchedPictures = { fetched: 0, missing: 0, forgotten }

  async function note(fetched: readonly FetchedPicture[]): Promise<void> {
    const found: (typeof guidePictures.$inferInsert)[] = []
    for (const { address, outcome } of fetched) {
      const triedAt = clock.now()
      if (outcome instanceof MissingPicture) {
        // What was not asked for is tried with the next round.
        if (!(outcome instanceof SilentHost)) found.push({ address, triedAt })
        done.missing++
      } else {
        const { id, ...picture } = outcome
        found.push({ address, imageId: id, ...picture, triedAt })
        done.fetched++
      }
    }
    if (found.length === 0) return
    await db
      .insert(guidePictures)
      .values(found)
      .onConflictDoUpdate({
        target: guidePictures.address,
        set: {
          imageId: sql`excluded.image_id`,
          width: sql`excluded.width`,
          height: sql`excluded.height`,
          color: sql`excluded.color`,
          triedAt: sql`excluded.tried_at`,
        },
      })
  }
  await fetchPictures(context, wanted, { maxBytes: MOST_BYTES, atOnce: AT_ONCE, signal, note })
  return done
}

/** A picture that a guide names for something that is on soon. */
interface NamedPicture {
  address: string
  isKnown: boolean
  /** To be fetched, for the first time or again. */
  isDue: boolean
}

/** What is known of an address. */
interface KeptPicture {
  triedAt: number
  isMissing: boolean
  /** Whether a programme has it, whenever that is on. */
  isNamed: boolean
}

async function findKept(db: Database): Promise<Map<string, KeptPicture>> {
  const rows = await db
    .select({
      address: guidePictures.address,
      triedAt: guidePictures.triedAt,
      imageId: guidePictures.imageId,
    })
    .from(guidePictures)
  return new Map(
    rows.map(({ address, triedAt, imageId }) => [
      address,
      { triedAt, isMissing: imageId === '', isNamed: false },
    ]),
  )
}

/**
 * As many as are kept, in the order in which their programmes are on. The guide is read some channels at a time: all of it in one
 * statement holds up the embedded database. Notes in `kept` what is named.
 */
async function findNamed(
  { db, clock, settings, connection }: Parts,
  kept: Map<string, KeptPicture>,
): Promise<NamedPicture[]> {
  const now = clock.now()
  const ids = (await db.select({ id: channels.id }).from(channels).orderBy(channels.id)).map(({ id }) => id)
  const firstOn = new Map<string, number>()
  const pace = new Pace(MOST_CHANNELS[connection.kind], LEAST_CHANNELS)
  await pace.over(ids, async (some) => {
    for (const { address, startsAt } of await namedOn(db, some, now)) {
      const known = kept.get(address)
      if (known) known.isNamed = true
      if (startsAt !== null) firstOn.set(address, Math.min(startsAt, firstOn.get(address) ?? startsAt))
    }
  })
  return [...firstOn]
    .toSorted(([one, first], [other, second]) => first - second || (one < other ? -1 : 1))
    .slice(0, settings.GUIDE_PICTURES)
    .map(([address]) => {
      const known = kept.get(address)
      return {
        address,
        isKnown: known !== undefined,
        isDue: known === undefined || (known.isMissing && now - known.triedAt >= RETRY_MS),
      }
    })
}

/** The addresses that programmes of these channels have; when the first is on that needs its picture now, null where none does. */
async function namedOn(
  db: Database,
  channelIds: readonly number[],
  now: number,
): Promise<{ address: string; startsAt: number | null }[]> {
  const isSoon = and(
    isNull(programmes.assetId),
    sql`octet_length(${programmes.imageAddress}) <= ${LONGEST_ADDRESS}`,
    gt(programmes.endsAt, now),
    lte(programmes.startsAt, now + AHEAD_MS),
    // Nobody sees the guide of a hidden channel.
    eq(channels.shown, true),
  )
  return await db
    .select({
      address: sql<string>`${programmes.imageAddress}`,
      startsAt: sql<
        number | null
      >`(extract(epoch from min(${programmes.startsAt}) filter (where ${isSoon})) * 1000)::float8`,
    })
    .from(programmes)
    .innerJoin(channels, eq(channels.id, programmes.channelId))
    .where(and(inArray(programmes.channelId, [...channelIds]), isNotNull(programmes.imageAddress)))
    .groupBy(programmes.imageAddress)
}

/**
 * Forgets pictures that no programme has any more. Where too many are left with those to come, it forgets the ones that were
 * fetched first. The sweep removes their files. @returns how many
 */
async function forgetUnused(
  { db, settings }: Parts,
  kept: ReadonlyMap<string, KeptPicture>,
  named: readonly NamedPicture[],
): Promise<number> {
  const unused = [...kept].flatMap(([address, { isNamed }]) => (isNamed ? [] : address))
  const gone = await db
    .delete(guidePictures)
    .where(inListOf(guidePictures.address, unused))
    .returning({ id: guidePictures.imageId })
  const coming = named.filter(({ isKnown }) => !isKnown).length
  const over = (await db.$count(guidePictures)) + coming - settings.GUIDE_PICTURES
  if (over > 0) {
    const oldest = db
      .select({ address: guidePictures.address })
      .from(guidePictures)
      .where(
        not(
          inListOf(
            guidePictures.address,
            named.map(({ address }) => address),
          ),
        ),
      )
      .orderBy(asc(guidePictures.triedAt))
      .limit(over)
    gone.push(
      ...(await db
        .delete(guidePictures)
        .where(inArray(guidePictures.address, oldest))
        .returning({ id: guidePictures.imageId })),
    )
  }
  return gone.length
}

/** Whether the column is one of these. All are one parameter: a statement has room for so many only. */
function inListOf(column: typeof guidePictures.address, values: readonly string[]): SQL {
  return sql`${column} in (select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`
}
