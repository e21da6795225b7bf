import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type ByteInput, createByteInput } from './byte-input.ts'
import { fetchOutside, OutboundError, type OutboundOptions } from './fetch-outside.ts'
import { GzipError, gunzip, isGzip } from './gunzip.ts'

/** Limits for the source of an import. */
export interface SourceBounds {
  /** Maximum size as received, in bytes, before decompression. */
  maxBytes: number
  /** Maximum size after decompression, in bytes. */
  maxUnpackedBytes: number
  maxMilliseconds: number
  /** Maximum time without any data from an address, in milliseconds, as in `fetchOutside`. */
  maxSilentMilliseconds?: number
  /** Private hosts that the operator allows. */
  allow: OutboundOptions['allow']
}

/** A file or an address that is being read. */
export interface OpenedSource {
  /**
   * The decompressed bytes. Reading fails with a {@link SourceError} beyond the limits, or when the compressed
   * data is broken.
   */
  bytes: AsyncIterable<Buffer>
  /** The final address after redirects; undefined for a file. */
  address: string | undefined
  /** Describes trailing data that was ignored; undefined if there was none. Valid after all bytes were read. */
  leftOut(): string | undefined
  /** How much has been read, from 0 to 1; undefined when the size is unknown. */
  progress(): number | undefined
}

/** Thrown when a source cannot be read. The message is for people. */
export class SourceError extends Error {
  override name = 'SourceError'
}

/** Returns whether a location is an address to fetch, rather than a local file. */
export function isAddress(location: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(location)
}

/**
 * Opens the file or address of an import. Decompresses gzip, even if the name of the file does not end in
 * `.gz`.
 *
 * @throws SourceError
 */
export async function openSource(
  location: string,
  bounds: SourceBounds,
  signal: AbortSignal,
): Promise<OpenedSource> {
  const { stream, size, address } = isAddress(location)
    ? await openAddress(location, bounds, signal)
    : await openFile(location, bounds, signal)
  let read = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      signal.throwIfAborted()
      read += chunk.length
      yield chunk
    }
  }
  let leftOut: string | undefined
  const onTrailing = (at: number): void => {
    leftOut = `The bytes after its gzip stream, from byte ${at} on, are left out.`
  }
  return {
    bytes: inWords(unpacked(counted(), bounds, () => read, onTrailing)),
    address,
    leftOut: () => leftOut,
    progress: () => (size === undefined || size === 0 ? undefined : Math.min(1, read / size)),
  }
}

interface Incoming {
  stream: AsyncIterable<Buffer>
  size: number | undefined
  address?: string
}

async function openAddress(location: string, bounds: SourceBounds, signal: AbortSignal): Promise<Incoming> {
  try {
    const answer = await fetchOutside(location, { ...bounds, allow: bounds.allow ?? [], signal })
    const length = Number(answer.headers['content-length'])
    return { stream: answer.body, size: Number.isFinite(length) ? length : undefined, address: answer.url }
  } catch (error) {
    if (error instanceof OutboundError) throw new SourceError(error.message, { cause: error })
    throw error
  }
}

async function openFile(
  location: string,
  { maxBytes }: SourceBounds,
  signal: AbortSignal,
): Promise<Incoming> {
  try {
    const file = await stat(location)
    if (!file.isFile()) throw new SourceError(`${location} is not a file.`)
    const { size } = file
    if (size > maxBytes)
      throw new SourceError(`${location} has more than ${Math.round(maxBytes / 1_000_000)} MB.`)
    return { stream: createReadStream(location, { highWaterMark: 64 * 1024, signal }), size }
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError(`${location} cannot be read.`, { cause: error })
  }
}

/**
 * Limits against decompression bombs. A source is refused if its compression ratio exceeds `times`, checked from
 * `bytes` decompressed bytes on. Lists and guides compress 10 to 30 times. Only endlessly repeated data reaches
 * this limit.
 */
const BOMB = { times: 200, bytes: 8_000_000 }

/** First bytes of other compression formats, which are not supported. */
const OTHER_PACKINGS: readonly [name: string, begin: string][] = [
  ['xz', '\xFD7zXZ'],
  ['zip', 'PK\x03\x04'],
  ['bzip2', 'BZh'],
  ['zstd', '(\xB5/\xFD'],
  ['7z', '7z\xBC\xAF'],
]

/** Passes bytes through, or decompresses them when they begin like gzip. */
async function* unpacked(
  source: AsyncGenerator<Buffer>,
  { maxUnpackedBytes }: SourceBounds,
  read: () => number,
  onTrailing: (at: number) => void,
): AsyncGenerator<Buffer> {
  const input = createByteInput(source)
  try {
    const packed = await isGzip(input)
    const begin = (await input.peek(5)).toString('latin1')
    const other = OTHER_PACKINGS.find(([, mark]) => begin.startsWith(mark))
    if (other) throw new SourceError(`It is packed with ${other[0]}; only gzip is unpacked.`)
    let bytes = 0
    for await (const chunk of packed ? gunzip(input, onTrailing) : chunksOf(input)) {
      bytes += chunk.length
      if (bytes > maxUnpackedBytes)
        throw new SourceError(`It has more than ${Math.round(maxUnpackedBytes / 1_000_000)} MB.`)
      if (packed && bytes > BOMB.bytes && bytes > read() * BOMB.times)
        throw new SourceError(
          `It unpacks to more than ${BOMB.times} times its size, which no honest file does.`,
        )
      yield chunk
    }
  } finally {
    // Closes the file or the connection without awaiting it, because a pending read may never end.
    void source.return(undefined)
  }
}

async function* chunksOf(input: ByteInput): AsyncGenerator<Buffer> {
  for (let chunk = await input.chunk(); chunk; chunk = await input.chunk()) yield chunk
}

/** Converts read errors into a {@link SourceError} with a message for people. */
async function* inWords(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* source
  } catch (error) {
    if (error instanceof OutboundError || error instanceof GzipError)
      throw new SourceError(error.message, { cause: error })
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code.startsWith('E')) throw new SourceError('It cannot be read.', { cause: error })
    throw error
  }
}
