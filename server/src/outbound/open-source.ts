import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type ByteInput, createByteInput } from './byte-input.ts'
import { fetchOutside, OutboundError, type OutboundOptions } from './fetch-outside.ts'
import { GzipError, gunzip, isGzip } from './gunzip.ts'

/** Bounds on what an import reads. */
export interface SourceBounds {
  /** Most bytes as they come: compressed, if they are. */
  maxBytes: number
  /** Most bytes after unpacking. */
  maxUnpackedBytes: number
  maxMilliseconds: number
  /** Most time in which an address sends nothing, as `fetchOutside` has it. */
  maxSilentMilliseconds?: number
  /** Private places that the operator allows. */
  allow: OutboundOptions['allow']
}

/** A file or an address that is being read. */
export interface OpenedSource {
  /** Unpacked. Fails with a {@link SourceError} past the bounds, or when the packing is broken. */
  bytes: AsyncIterable<Buffer>
  /** Where an address led to in the end; undefined for a file. */
  address: string | undefined
  /** What was left out after its end, in words; undefined when there is nothing. Known when all bytes were read. */
  leftOut(): string | undefined
  /** How much of it has been read, from 0 to 1; undefined where its size is not known. */
  progress(): number | undefined
}

/** Why a source could not be read, in words. */
export class SourceError extends Error {
  override name = 'SourceError'
}

/** Whether a location is fetched, rather than a file of this machine. */
export function isAddress(location: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(location)
}

/**
 * Opens the file or the address of an import; what is packed with gzip is unpacked, whatever it calls itself.
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
    leftOut = `What follows its gzip packing, from byte ${at} on, is no part of it and is left out.`
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
    if (!file.isFile()) throw new SourceError(`${location} is no file.`)
    const { size } = file
    if (size > maxBytes)
      throw new SourceError(`${location} has more than ${Math.round(maxBytes / 1_000_000)} MB.`)
    return { stream: createReadStream(location, { highWaterMark: 64 * 1024, signal }), size }
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError(`${location} cannot be read.`, { cause: error })
  }
}

/** Lists and guides are packed to a tenth or a thirtieth; only what repeats itself without an end comes to this. */
const BOMB = { times: 200, bytes: 8_000_000 }

/** How other kinds of packing begin, which are not unpacked. */
const OTHER_PACKINGS: readonly [name: string, begin: string][] = [
  ['xz', '\xFD7zXZ'],
  ['zip', 'PK\x03\x04'],
  ['bzip2', 'BZh'],
  ['zstd', '(\xB5/\xFD'],
  ['7z', '7z\xBC\xAF'],
]

/** Gives bytes as they are, or unpacks them when they begin as gzip does. */
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
        throw new SourceError(`It unpacks to more than ${BOMB.times} times its size, as nothing honest does.`)
      yield chunk
    }
  } finally {
    // Closes the file or the connection, which may just be waited for: whoever stops early waits no longer.
    void source.return(undefined)
  }
}

async function* chunksOf(input: ByteInput): AsyncGenerator<Buffer> {
  for (let chunk = await input.chunk(); chunk; chunk = await input.chunk()) yield chunk
}

/** Says what goes wrong while reading in words. */
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
