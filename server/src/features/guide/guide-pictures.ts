import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, notExists, sql } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import { channels } from '../channels/channels.table.ts'
import { MissingPicture, pictureRound, SilentHost } from '../channels/fetch-picture.ts'
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
/** Pictures that are noted at once: each time, guides that are held in memory are made anew. */
const BATCH = 100

/** What a round came to. */
export interface FetchedPictures {
  fetched: number
  /** Those that could not be had. */
  missing: number
  forgotten: number
}

type Parts = Pick<Context, 'db' | 'images' | 'settings' | 'log' | 'clock'>

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
  const named = await findNamed(context)
  const wanted = named.filter(({ isDue }) => isDue).map(({ address }) => address)
  const forgotten = await forgetUnused(context, named)
  const done: FetchedPictures = { fetched: 0, missing: 0, forgotten }

  let found: (typeof guidePictures.$inferInsert)[] = []
  async function note(least: number): Promise<void> {
    if (found.length < least) return
    const rows = found
    found = []
    await db
      .insert(guidePictures)
      .values(rows)
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

  const waiting = wanted.toReversed()
  const fetchPicture = pictureRound(context, MOST_BYTES, signal)
  async function work(): Promise<void> {
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      signal.throwIfAborted()
      const triedAt = clock.now()
      try {
        const { id, ...picture } = await fetchPicture(address)
        found.push({ address, imageId: id, ...picture, triedAt })
        done.fetched++
      } catch (error) {
        if (!(error instanceof MissingPicture)) throw error
        // What was not asked for is tried with the next round.
        if (!(error instanceof SilentHost)) found.push({ address, triedAt })
        done.missing++
      }
      await note(BATCH)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    await note(1)
  }
  return done
}

/** A picture that a guide names for something that is on soon. */
interface NamedPicture {
  address: string
  isKnown: boolean
  /** To be fetched, for the first time or again. */
  isDue: boolean
}

/** As many as are kept, in the order in which their programmes are on. */
async function findNamed({ db, clock, settings }: Parts): Promise<NamedPicture[]> {
  const now = clock.now()
  const { triedAt, imageId } = guidePictures
  const rows = await db
    .select({ address: programmes.imageAddress, triedAt, imageId })
    .from(programmes)
    // Nobody sees the guide of a hidden channel.
    .innerJoin(channels, and(eq(channels.id, programmes.channelId), eq(channels.shown, true)))
    .leftJoin(guidePictures, eq(guidePictures.address, programmes.imageAddress))
    .where(
      and(
        isNull(programmes.assetId),
        isNotNull(programmes.imageAddress),
        sql`octet_length(${programmes.imageAddress}) <= ${LONGEST_ADDRESS}`,
        gt(programmes.endsAt, now),
        lte(programmes.startsAt, now + AHEAD_MS),
      ),
    )
    .groupBy(programmes.imageAddress, triedAt, imageId)
    .orderBy(sql`min(${programmes.startsAt})`, asc(programmes.imageAddress))
    .limit(settings.GUIDE_PICTURES)
  return rows.flatMap((row) =>
    row.address === null
      ? []
      : {
          address: row.address,
          isKnown: row.triedAt !== null,
          isDue: row.triedAt === null || (row.imageId === '' && now - row.triedAt >= RETRY_MS),
        },
  )
}

/**
 * Forgets pictures that no programme has any more. Where too many are left with those to come, it forgets the ones that were
 * fetched first. The sweep removes their files. @returns how many
 */
async function forgetUnused({ db, settings }: Parts, named: readonly NamedPicture[]): Promise<number> {
  const gone = await db
    .delete(guidePictures)
    .where(
      notExists(
        db
          .select({ id: programmes.id })
          .from(programmes)
          .where(eq(programmes.imageAddress, guidePictures.address)),
      ),
    )
    .returning({ id: guidePictures.imageId })
  const coming = named.filter(({ isKnown }) => !isKnown).length
  const over = (await db.$count(guidePictures)) + coming - settings.GUIDE_PICTURES
  if (over > 0) {
    const addresses = JSON.stringify(named.map(({ address }) => address))
    const oldest = db
      .select({ address: guidePictures.address })
      .from(guidePictures)
      .where(sql`${guidePictures.address} not in (select jsonb_array_elements_text(${addresses}::jsonb))`)
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
