import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import type { StoredImage } from '../../ingest/images.ts'
import { IngestError } from '../../ingest/reasons.ts'
import { openSource, SourceError } from '../../outbound/open-source.ts'

const MILLISECONDS = 8000

/** A picture that could not be had, and why, in words. */
export class MissingPicture extends Error {
  override name = 'MissingPicture'
}

/**
 * Fetches a picture that a list or a guide names, by the checked outbound path, into the store.
 *
 * @throws MissingPicture, and whatever `signal` is aborted with.
 */
export async function fetchPicture(
  { images, settings, log }: Pick<Context, 'images' | 'settings' | 'log'>,
  address: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<StoredImage> {
  if (!/^https?:\/\//i.test(address)) throw new MissingPicture('Only http and https addresses are fetched.')
  const path = join(tmpdir(), `ondine-picture-${randomUUID()}`)
  try {
    const bounds = { maxBytes, maxUnpackedBytes: maxBytes, maxMilliseconds: MILLISECONDS }
    const { bytes } = await openSource(address, { ...bounds, allow: settings.OUTBOUND_ALLOW }, signal)
    await writeFile(path, bytes)
    return await images.store(path)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof SourceError || error instanceof IngestError)) {
      log.error({ err: error }, 'a picture could not be stored')
    }
    throw new MissingPicture(error instanceof Error ? error.message : 'It cannot be read.', { cause: error })
  } finally {
    await rm(path, { force: true })
  }
}
