import { crc32, createInflateRaw, type InflateRaw } from 'node:zlib'
import type { ByteInput } from './byte-input.ts'

/** Thrown for broken gzip data. The message contains the position of the fault. */
export class GzipError extends Error {
  override name = 'GzipError'

  constructor(where: string, options?: ErrorOptions) {
    super(`Its gzip stream is broken: ${where}`, options)
  }
}

/**
 * Maximum number of members of a gzip file. The limit exists because each member costs an inflate engine. Some
 * programs write a member per 64 kB; even then, a guide of 1000 MB stays below the limit.
 */
const MOST_MEMBERS = 20_000

/** Returns whether the input begins like gzip. */
export async function isGzip(input: ByteInput): Promise<boolean> {
  const [first, second] = await input.peek(2)
  return first === 0x1f && second === 0x8b
}

/**
 * Decompresses gzip (RFC 1952), member by member. Zeros after the last member are padding. Other trailing
 * data is ignored, as gzip(1) does. Node's own gunzip fails at trailing data and loses some bytes before it.
 *
 * @param onTrailing receives the position of trailing data, counted from 0.
 * @throws GzipError for a member that is broken or cut off.
 */
export async function* gunzip(input: ByteInput, onTrailing: (at: number) => void): AsyncGenerator<Buffer> {
  let members = 0
  do {
    if (++members > MOST_MEMBERS) throw new GzipError(`it has more than ${MOST_MEMBERS} members.`)
    yield* member(input)
  } while (await isGzip(input))
  for (let rest = await input.chunk(); rest; rest = await input.chunk()) {
    const other = rest.findIndex((byte) => byte !== 0)
    if (other === -1) continue
    onTrailing(input.position() - rest.length + other)
    return
  }
}

async function* member(input: ByteInput): AsyncGenerator<Buffer> {
  await skipHeader(input)
  let sum = 0
  let length = 0
  for await (const chunk of inflate(input)) {
    sum = crc32(chunk, sum)
    length += chunk.length
    yield chunk
  }
  const at = input.position()
  const trailer = await take(input, 8)
  // The trailer contains the length modulo 2³².
  if (trailer.readUInt32LE(0) !== sum || trailer.readUInt32LE(4) !== length % 2 ** 32)
    throw new GzipError(`the checksum at byte ${at} does not match the content.`)
}

const DEFLATE = 8
const FLAGS = { headerSum: 0x02, extra: 0x04, name: 0x08, comment: 0x10, reserved: 0xe0 }

async function skipHeader(input: ByteInput): Promise<void> {
  const at = input.position()
  const header = await take(input, 10)
  const flags = header.readUInt8(3)
  if (header.readUInt8(2) !== DEFLATE || (flags & FLAGS.reserved) !== 0)
    throw new GzipError(`there is no known header at byte ${at}.`)
  if (flags & FLAGS.extra) await take(input, (await take(input, 2)).readUInt16LE())
  if (flags & FLAGS.name) await skipText(input)
  if (flags & FLAGS.comment) await skipText(input)
  if (flags & FLAGS.headerSum) await take(input, 2)
}

/** Skips a text field of the header, which ends with a zero byte. */
async function skipText(input: ByteInput): Promise<void> {
  for (;;) {
    const chunk = await input.chunk()
    if (!chunk) throw cutOff(input)
    const end = chunk.indexOf(0)
    if (end === -1) continue
    input.putBack(chunk.subarray(end + 1))
    return
  }
}

async function* inflate(input: ByteInput): AsyncGenerator<Buffer> {
  const begin = input.position()
  const engine = createInflateRaw({ chunkSize: 256 * 1024 })
  // When feeding fails, the engine is destroyed with the error, so that the reader of the engine receives it.
  const feeding = feed(engine, input).catch((error: Error) => void engine.destroy(error))
  try {
    for await (const chunk of engine) yield chunk as Buffer
    await feeding
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!code.startsWith('Z_')) throw error
    // `bytesWritten` excludes the chunk that failed.
    throw new GzipError(`it cannot be read on from byte ${begin + engine.bytesWritten}.`, { cause: error })
  } finally {
    engine.destroy()
  }
}

/** Feeds an engine until its deflate stream ends. Puts back the bytes that follow the stream. */
async function feed(engine: InflateRaw, input: ByteInput): Promise<void> {
  for (;;) {
    const chunk = await input.chunk()
    if (!chunk) throw cutOff(input)
    const before = engine.bytesWritten
    await new Promise<void>((resolve) => {
      engine.write(chunk, () => resolve())
    })
    if (engine.destroyed) return
    const used = engine.bytesWritten - before
    if (used === chunk.length) continue
    input.putBack(chunk.subarray(used))
    return
  }
}

async function take(input: ByteInput, count: number): Promise<Buffer> {
  const bytes = await input.take(count)
  if (bytes.length < count) throw cutOff(input)
  return bytes
}

function cutOff(input: ByteInput): GzipError {
  return new GzipError(`it ends in the middle, at byte ${input.position()}.`)
}
