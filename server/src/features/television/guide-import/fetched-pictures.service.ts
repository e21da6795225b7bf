import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../../context.ts'
import type { StoredImage } from '../../../ingest/images.ts'
import { IngestError } from '../../../ingest/reasons.ts'
import { OutboundError } from '../../../outbound/fetch-outside.ts'
import { openSource, SourceError } from '../../../outbound/open-source.ts'

const MILLISECONDS = 8000

/** Thrown for a picture that could not be fetched, with the reason as text. */
export class MissingPicture extends Error {
  override name = 'MissingPicture'
}

/**
 * Thrown for a picture that was not requested, because its host had not answered before. The picture may exist.
 */
export class SilentHost extends MissingPicture {
  override name = 'SilentHost'
}

/**
 * Number of timeouts in a row after which a host is not called again. Each timeout takes the full waiting time.
 */
const MOST_SILENCES = 5

type Parts = Pick<Context, 'images' | 'settings' | 'log'>

/**
 * Starts a round of fetching pictures. The returned function fetches the picture of an address into the store. It
 * throws {@link MissingPicture} if this fails, {@link SilentHost} if it did not call the host because of earlier
 * timeouts, or the abort reason of `signal`.
 */
function pictureRound(
  parts: Parts,
  maxBytes: number,
  signal: AbortSignal,
): (address: string) => Promise<StoredImage> {
  const silences = new Map<string, number>()
  return async (address) => {
    const host = URL.parse(address)?.host ?? ''
    if ((silences.get(host) ?? 0) >= MOST_SILENCES) throw new SilentHost('Its host does not answer.')
    try {
      const image = await fetchPicture(parts, address, maxBytes, signal)
      silences.delete(host)
      return image
    } catch (error) {
      if (isSilence(error)) silences.set(host, (silences.get(host) ?? 0) + 1)
      // The host has answered, although without a picture. So reset its timeouts.
      else silences.delete(host)
      throw error
    }
  }
}

/**
 * Number of pictures whose results are stored at once. Each write to the database invalidates caches in memory, so
 * large batches cost less.
 */
const BATCH = 100

/** Address of a picture, with the result of fetching it. */
export interface FetchedPicture {
  address: string
  /** The stored picture, or the reason why it could not be fetched. */
  outcome: StoredImage | MissingPicture
}

/**
 * Fetches the pictures of these addresses in order, several concurrently. Passes the results to `options.note` in
 * batches, including pictures that were fetched before `options.signal` aborts.
 *
 * @throws the abort reason of `options.signal`, or the error of `options.note`
 */
export async function fetchPictures(
  parts: Parts,
  addresses: readonly string[],
  options: {
    maxBytes: number
    atOnce: number
    signal: AbortSignal
    note(fetched: readonly FetchedPicture[]): Promise<void>
    /** @param share fraction of the addresses that are done, from 0 to 1. */
    onProgress?(share: number): void
  },
): Promise<void> {
  const { maxBytes, atOnce, signal, note, onProgress } = options
  const waiting = addresses.toReversed()
  const fetchPicture = pictureRound(parts, maxBytes, signal)
  let fetched: FetchedPicture[] = []
  async function noteFrom(least: number): Promise<void> {
    if (fetched.length < least) return
    const batch = fetched
    fetched = []
    await note(batch)
  }
  async function work(): Promise<void> {
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      signal.throwIfAborted()
      const outcome = await fetchPicture(address).catch(asMissing)
      // Read `fetched` only after the wait: during the wait, another worker may have passed on the batch and
      // replaced the array.
      fetched.push({ address, outcome })
      await noteFrom(BATCH)
      onProgress?.((addresses.length - waiting.length) / addresses.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    await noteFrom(1)
  }
}

function asMissing(error: unknown): MissingPicture {
  if (error instanceof MissingPicture) return error
  throw error
}

/** Returns whether a picture could not be fetched because its host did not answer. */
function isSilence(error: unknown): boolean {
  const fault =
    error instanceof MissingPicture && error.cause instanceof SourceError ? error.cause.cause : undefined
  return fault instanceof OutboundError && (fault.fault === 'too-slow' || fault.fault === 'unreachable')
}

/**
 * Fetches a picture through the outbound check. Decodes a `data:` address, which contains the picture (RFC 2397).
 */
async function fetchPicture(
  { images, settings, log }: Parts,
  address: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<StoredImage> {
  const inline = inlinePicture(address)
  if (inline === undefined && !/^https?:\/\//i.test(address))
    throw new MissingPicture('Only http and https addresses are fetched.')
  const path = join(tmpdir(), `ondine-picture-${randomUUID()}`)
  try {
    const bounds = { maxBytes, maxUnpackedBytes: maxBytes, maxMilliseconds: MILLISECONDS }
    const { bytes } = inline
      ? { bytes: inline }
      : await openSource(address, { ...bounds, allow: settings.OUTBOUND_ALLOW }, signal)
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

const INLINE = /^data:image\/(?:png|jpe?g|webp|svg\+xml)((?:;[^,;]*)*),(.*)$/is

/**
 * Returns the picture in a `data:` address; undefined for any other address. The store checks the actual type of
 * the picture.
 */
function inlinePicture(address: string): Buffer | undefined {
  const [, parameters, written] = INLINE.exec(address) ?? []
  if (parameters === undefined || written === undefined) return undefined
  try {
    const content = decodeURIComponent(written)
    return Buffer.from(content, /;\s*base64\s*$/i.test(parameters) ? 'base64' : 'utf8')
  } catch (error) {
    throw new MissingPicture('Its address is malformed.', { cause: error })
  }
}
