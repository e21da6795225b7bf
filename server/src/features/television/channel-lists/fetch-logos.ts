import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import type { StoredImage } from '../../../ingest/images.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { insertImages } from '../../inventory/titles/images.service.ts'
import {
  type FetchedPicture,
  fetchPictures,
  MissingPicture,
} from '../guide-import/fetched-pictures.service.ts'

const MOST_BYTES = 3_000_000
const AT_ONCE = 6

/** A logo that could not be fetched, with the reason. */
interface MissingLogo {
  address: string
  reason: string
}

/**
 * Fetches the logos of a list that are not stored yet, each address only once.
 *
 * @returns the logos that could not be fetched
 */
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
  const missing: MissingLogo[] = []
  async function note(fetched: readonly FetchedPicture[]): Promise<void> {
    const logos: { address: string; image: StoredImage }[] = []
    for (const { address, outcome } of fetched) {
      if (outcome instanceof MissingPicture) missing.push({ address, reason: outcome.message })
      else logos.push({ address, image: outcome })
    }
    if (logos.length === 0) return
    const rows = logos.map(({ address, image }) => ({ address, image: image.id }))
    await retryOnDeadlock(
      async () =>
        await db.transaction(async (tx) => {
          await insertImages(
            tx,
            logos.map(({ image }) => image),
          )
          await tx.execute(sql`
            update channels set logo_image = given.image
            from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (address text, image text)
            where channels.list_id = ${listId} and channels.logo_address = given.address`)
        }),
    )
  }
  const addresses = wanted.flatMap(({ address }) => address ?? [])
  await fetchPictures(context, addresses, {
    maxBytes: MOST_BYTES,
    atOnce: AT_ONCE,
    signal,
    note,
    onProgress,
  })
  return missing
}
