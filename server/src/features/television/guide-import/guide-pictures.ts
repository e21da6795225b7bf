import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, not, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { type FetchedPicture, fetchPictures, MissingPicture, SilentHost } from './fetched-pictures.service.ts'
import { guidePictures, programmes } from './guide.table.ts'

/** Queue of the jobs that fetch pictures of programmes. Each job is one round. */
export const FETCH_PICTURES = 'programme-pictures'
/** Rounds run one at a time. Otherwise one round could delete a picture that another round is about to use. */
export const PICTURE_JOB = { alone: true, retries: 0, expireSeconds: 3600 }

const MOST_BYTES = 8_000_000
/** Maximum length of a picture's address, in bytes. Longer addresses do not fit into the index. */
const LONGEST_ADDRESS = 2000
/** How long before its programme starts a picture is fetched, in milliseconds. */
const AHEAD_MS = 48 * 3600_000
/** How long after a failure a picture is fetched again, in milliseconds. */
const RETRY_MS = 24 * 3600_000
const AT_ONCE = 4

/** Result of a round of fetching pictures. */
export interface FetchedPictures {
  fetched: number
  /** Number of pictures that could not be fetched. */
  missing: number
  forgotten: number
}

/** Maximum number of channels whose programmes one statement reads. */
const MOST_CHANNELS = { embedded: 50, postgresql: 200 } as const
const LEAST_CHANNELS = 10

type Parts = Pick<Context, 'db' | 'images' | 'settings' | 'log' | 'clock' | 'connection'>

/** Requests a round of fetching pictures. The round begins as soon as a worker is free. */
export async function requestGuidePictures({ jobs }: Pick<Context, 'jobs'>): Promise<void> {
  await jobs.declare(FETCH_PICTURES, PICTURE_JOB)
  await jobs.send(FETCH_PICTURES, FETCH_PICTURES, {})
}

/**
 * Fetches the pictures of programmes in the next two days, the earliest programmes first. Deletes pictures that no
 * programme uses any more. Keeps at most `GUIDE_PICTURES` pictures.
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
        // Store no result for a picture that was not requested, so that the next round tries it again.
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

/** A picture of a programme in the near future. */
interface NamedPicture {
  address: string
  isKnown: boolean
  /** Whether the picture must be fetched now, for the first time or after a failure. */
  isDue: boolean
}

/** State of a picture whose row an earlier round has stored. */
interface KeptPicture {
  triedAt: number
  isMissing: boolean
  /** Whether any programme or recording uses the picture. */
  isNamed: boolean
}

async function findKept(db: Database): Promise<Map<string, KeptPicture>> {
  const rows = await db
    .select({
      address: guidePictures.address,
      triedAt: guidePictures.triedAt,
      imageId: guidePictures.imageId,
      isRecorded: sql<boolean>`${guidePictures.address} in (
        select ${recordedProgrammes.imageAddress} from ${recordedProgrammes}
        where ${recordedProgrammes.imageAddress} is not null)`,
    })
    .from(guidePictures)
  return new Map(
    rows.map(({ address, triedAt, imageId, isRecorded }) => [
      address,
      { triedAt, isMissing: imageId === '', isNamed: isRecorded },
    ]),
  )
}

/**
 * Returns the pictures of programmes that begin soon, in order of time, up to the limit. Sets `isNamed` of each
 * picture in `kept` that a programme uses. Reads the guide some channels at a time, because one statement for the
 * whole guide would block the embedded database.
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

/**
 * Returns the addresses of all pictures that programmes on these channels use. `startsAt` is the start of the
 * earliest programme for which the picture must be fetched soon; null if there is no such programme.
 */
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
    // Viewers do not see the guides of hidden channels.
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
 * Deletes the rows of pictures that no programme uses any more. If the remaining and the new pictures together
 * exceed the limit, also deletes rows of pictures outside `named`, starting with the pictures fetched longest ago.
 * The sweep deletes the files later.
 *
 * @returns the number of deleted rows
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

/**
 * Returns the SQL condition that the column has one of these values. All values are one parameter, because the
 * number of parameters in a statement is limited.
 */
function inListOf(column: typeof guidePictures.address, values: readonly string[]): SQL {
  return sql`${column} in (select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`
}

/** Returns those of `ids` that belong to pictures of guides. */
export async function namedByGuides(db: Database, ids: string[]): Promise<string[]> {
  const rows = await db
    .select({ id: guidePictures.imageId })
    .from(guidePictures)
    .where(inArray(guidePictures.imageId, ids))
  return rows.map(({ id }) => id)
}
