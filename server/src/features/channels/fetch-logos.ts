import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import { IngestError } from '../../ingest/reasons.ts'
import { openSource, SourceError } from '../../outbound/open-source.ts'
import { images } from '../catalogue/catalogue.table.ts'
import { channels } from './channels.table.ts'

const BOUNDS = { maxBytes: 3_000_000, maxUnpackedBytes: 3_000_000, maxMilliseconds: 8000 }
const AT_ONCE = 6

/** A logo that could not be had. */
interface MissingLogo {
  address: string
  reason: string
}

/** Fetches the logos of a list that are not there yet, each address once. What cannot be had is left out and listed. */
export async function fetchLogos(
  { db, images: store, settings, log }: Pick<Context, 'db' | 'images' | 'settings' | 'log'>,
  listId: number,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<MissingLogo[]> {
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

  async function fetchOne(address: string): Promise<void> {
    if (!/^https?:/i.test(address)) {
      missing.push({ address, reason: 'Only http and https addresses are fetched.' })
      return
    }
    const path = join(tmpdir(), `ondine-logo-${randomUUID()}`)
    try {
      const { bytes } = await openSource(address, { ...BOUNDS, allow: settings.OUTBOUND_ALLOW }, signal)
      await writeFile(path, bytes)
      const image = await store.store(path)
      await db.insert(images).values(image).onConflictDoNothing()
      await db
        .update(channels)
        .set({ logoImage: image.id })
        .where(and(eq(channels.listId, listId), eq(channels.logoAddress, address)))
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof SourceError || error instanceof IngestError)) {
        log.error({ err: error }, 'a logo could not be stored')
      }
      missing.push({ address, reason: error instanceof Error ? error.message : 'It cannot be read.' })
    } finally {
      await rm(path, { force: true })
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
