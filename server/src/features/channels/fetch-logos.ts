import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import { images } from '../catalogue/catalogue.table.ts'
import { channels } from './channels.table.ts'
import { MissingPicture, pictureRound } from './fetch-picture.ts'

const MOST_BYTES = 3_000_000
const AT_ONCE = 6

/** A logo that could not be had. */
interface MissingLogo {
  address: string
  reason: string
}

/** Fetches the logos of a list that are not there yet, each address once. What cannot be had is left out and listed. */
export async function fetchLogos(
  context: Pick<Context, 'db' | 'images' | 'settings' | 'log'>,
  listId: number,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<MissingLogo[]> {
  const { db } = context
  const wanted = await db
    .selectDistinct({ address: channels.logoAddress })
    .from(channels)
    .where(
      and(
        eq(channels.listId, listId),
        isNull(channels.goneSince),
        isNull(channels.logoImage),
        isNotNull(channels.logoAddress),
      ),
    )
  const waiting = wanted.flatMap(({ address }) => address ?? [])
  const missing: MissingLogo[] = []
  const total = waiting.length
  const fetchPicture = pictureRound(context, MOST_BYTES, signal)

  async function fetchOne(address: string): Promise<void> {
    try {
      const image = await fetchPicture(address)
      await db.insert(images).values(image).onConflictDoNothing()
      await db
        .update(channels)
        .set({ logoImage: image.id })
        .where(and(eq(channels.listId, listId), eq(channels.logoAddress, address)))
    } catch (error) {
      if (!(error instanceof MissingPicture)) throw error
      missing.push({ address, reason: error.message })
    }
  }

  async function work(): Promise<void> {
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      signal.throwIfAborted()
      await fetchOne(address)
      onProgress((total - waiting.length) / total)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return missing
}
