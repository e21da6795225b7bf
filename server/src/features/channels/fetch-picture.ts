import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import type { StoredImage } from '../../ingest/images.ts'
import { IngestError } from '../../ingest/reasons.ts'
import { OutboundError } from '../../outbound/fetch-outside.ts'
import { openSource, SourceError } from '../../outbound/open-source.ts'

const MILLISECONDS = 8000

/** A picture that could not be had, and why, in words. */
export class MissingPicture extends Error {
  override name = 'MissingPicture'
}

/** A picture that was not asked for, because its host has been silent: it may be there all the same. */
export class SilentHost extends MissingPicture {
  override name = 'SilentHost'
}

/** A host that has not answered so often in a row is asked no more: each time costs as long as is waited for it. */
const MOST_SILENCES = 5

type Parts = Pick<Context, 'images' | 'settings' | 'log'>

/**
 * Begins a round of fetching pictures that a list or a guide names. What it gives fetches one of them into the store, and throws
 * {@link MissingPicture}, {@link SilentHost} where it was not even asked for, or whatever `signal` is aborted with.
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
      // That it has no such picture is an answer too.
      else silences.delete(host)
      throw error
    }
  }
}

/** Pictures that are noted at once: each time, what is held in memory is made anew. */
const BATCH = 100

/** An address of a picture with what became of it. */
export interface FetchedPicture {
  address: string
  /** The stored picture, or why it could not be had. */
  outcome: StoredImage | MissingPicture
}

/**
 * Fetches the pictures of these addresses, the first ones first and some at once, and has them noted in batches. What was fetched
 * before `options.signal` aborts is noted too.
 *
 * @throws whatever `options.signal` is aborted with, or `options.note` throws
 */
export async function fetchPictures(
  parts: Parts,
  addresses: readonly string[],
  options: {
    maxBytes: number
    atOnce: number
    signal: AbortSignal
    note(fetched: readonly FetchedPicture[]): Promise<void>
    /** @param share of the addresses that is done, from 0 to 1. */
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
      // Meanwhile the batch may have been noted, and `fetched` be another one.
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

/** Whether a picture is missing because nobody answered. */
function isSilence(error: unknown): boolean {
  const fault =
    error instanceof MissingPicture && error.cause instanceof SourceError ? error.cause.cause : undefined
  return fault instanceof OutboundError && (fault.fault === 'too-slow' || fault.fault === 'unreachable')
}

/** Fetches a picture by the checked outbound path, or takes one that stands in its address itself (RFC 2397). */
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

/** The picture that an address of the scheme `data:` holds; undefined for any other address. What it really is, the store looks at. */
function inlinePicture(address: string): Buffer | undefined {
  const [, parameters, written] = INLINE.exec(address) ?? []
  if (parameters === undefined || written === undefined) return undefined
  try {
    const content = decodeURIComponent(written)
    return Buffer.from(content, /;\s*base64\s*$/i.test(parameters) ? 'base64' : 'utf8')
  } catch (error) {
    throw new MissingPicture('Its address is written wrongly.', { cause: error })
  }
}
