import { RtmpError } from './rtmp-error.ts'

/** A message of RTMP. */
export interface RtmpMessage {
  type: number
  /** Id of the message stream: 0 for the connection itself, otherwise a stream within the connection. */
  streamId: number
  /** Timestamp in milliseconds. */
  timestamp: number
  body: Buffer
}

/** Types of messages that concern the chunks themselves (RTMP 1.0, section 5.4). */
const SET_CHUNK_SIZE = 1
const ABORT = 2

/**
 * Chunk size until a message sets another one, in bytes. Smaller sizes are refused, because their headers would
 * take more memory than the media.
 */
const FIRST_CHUNK_SIZE = 128
/** Maximum number of chunk streams per connection. Encoders use four or five. */
const MOST_STREAMS = 32
/** Timestamp value which means that an extended timestamp follows. */
const IS_EXTENDED = 0xff_ff_ff
/** Length of the message header in bytes, by the format of the chunk. */
const HEADER_BYTES = [11, 7, 3, 0]

/**
 * State of a chunk stream: the last message header, which later chunks refer to, and the message that is being
 * received.
 */
interface ChunkStream {
  timestamp: number
  delta: number
  isExtended: boolean
  length: number
  type: number
  streamId: number
  parts: Buffer[]
  received: number
}

/** Reads the messages of a connection (RTMP 1.0, section 5.3). */
export class ChunkReader {
  readonly #streams = new Map<number, ChunkStream>()
  #chunkSize = FIRST_CHUNK_SIZE
  /** Beginning of an incomplete header. */
  #rest = Buffer.alloc(0)
  /** The chunk that is being received. */
  #open: { stream: ChunkStream; left: number } | undefined
  /** Maximum length of a message, in bytes. */
  mostBytes: number

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes
  }

  /**
   * Adds bytes as they arrive.
   *
   * @returns the messages that they complete
   * @throws RtmpError
   */
  push(chunk: Buffer): RtmpMessage[] {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    this.#rest = Buffer.alloc(0)
    const messages: RtmpMessage[] = []
    let at = 0
    for (;;) {
      if (!this.#open) at += this.#readHeader(bytes, at)
      const open = this.#open
      if (!open) {
        // Only an incomplete header is copied, which is short.
        this.#rest = Buffer.from(bytes.subarray(at))
        return messages
      }
      const part = bytes.subarray(at, at + open.left)
      at += part.length
      open.left -= part.length
      if (part.length > 0) open.stream.parts.push(part)
      open.stream.received += part.length
      if (open.left > 0) return messages
      this.#open = undefined
      const message = this.#complete(open.stream)
      if (message) messages.push(message)
    }
  }

  /**
   * Reads the header of a chunk, and begins the chunk.
   *
   * @returns the length of the header; 0 if the header is incomplete
   */
  #readHeader(bytes: Buffer, from: number): number {
    if (from >= bytes.length) return 0
    const first = bytes.readUInt8(from)
    const format = first >> 6
    const idBytes = [2, 3][first & 0x3f] ?? 1
    const fixed = idBytes + (HEADER_BYTES[format] ?? 0)
    if (from + fixed > bytes.length) return 0
    const id = chunkStreamId(bytes, from)
    const header = bytes.subarray(from + idBytes, from + fixed)
    const field = format < 3 ? header.readUIntBE(0, 3) : undefined
    const isExtended =
      field === undefined ? this.#streams.get(id)?.isExtended === true : field === IS_EXTENDED
    const length = fixed + (isExtended ? 4 : 0)
    if (from + length > bytes.length) return 0
    const time = isExtended ? bytes.readUInt32BE(from + fixed) : (field ?? 0)
    const stream = this.#begin(id, format, header, time)
    if (format < 3) stream.isExtended = isExtended
    this.#open = { stream, left: Math.min(this.#chunkSize, stream.length - stream.received) }
    return length
  }

  /**
   * Returns the stream of a chunk, and updates the stream's message header.
   *
   * @param time timestamp, or its difference from the previous one, depending on the format
   */
  #begin(id: number, format: number, header: Buffer, time: number): ChunkStream {
    const known = this.#streams.get(id)
    if (known && known.received > 0) {
      if (format !== 3) throw new RtmpError('a message begins within another one')
      return known
    }
    if (!known && format !== 0) throw new RtmpError('the first chunk of a stream has no header')
    if (!known && this.#streams.size >= MOST_STREAMS) throw new RtmpError('there are too many chunk streams')
    const stream = known ?? {
      timestamp: 0,
      delta: 0,
      isExtended: false,
      length: 0,
      type: 0,
      streamId: 0,
      parts: [],
      received: 0,
    }
    this.#streams.set(id, stream)
    if (format < 2) {
      stream.length = header.readUIntBE(3, 3)
      stream.type = header.readUInt8(6)
    }
    if (format === 0) {
      stream.streamId = header.readUInt32LE(7)
      stream.timestamp = time
      stream.delta = 0
    } else {
      if (format < 3) stream.delta = time
      stream.timestamp = (stream.timestamp + stream.delta) % 2 ** 32
    }
    if (stream.length > this.mostBytes) throw new RtmpError('a message is too long')
    return stream
  }

  /**
   * Returns the completed message of a stream. Undefined if the message is incomplete, or controls the chunks
   * themselves.
   */
  #complete(stream: ChunkStream): RtmpMessage | undefined {
    if (stream.received < stream.length) return undefined
    const { type, streamId, timestamp, parts } = stream
    const body = Buffer.concat(parts)
    stream.parts = []
    stream.received = 0
    if (type !== SET_CHUNK_SIZE && type !== ABORT) return { type, streamId, timestamp, body }
    if (body.length < 4) throw new RtmpError('a message is cut off')
    if (type === ABORT) this.#abort(body.readUInt32BE())
    else this.#chunkSize = body.readUInt32BE()
    if (this.#chunkSize < FIRST_CHUNK_SIZE) throw new RtmpError('the chunks are too small')
    return undefined
  }

  #abort(id: number): void {
    const stream = this.#streams.get(id)
    if (!stream) return
    stream.parts = []
    stream.received = 0
  }
}

function chunkStreamId(bytes: Buffer, from: number): number {
  const id = bytes.readUInt8(from) & 0x3f
  if (id === 0) return 64 + bytes.readUInt8(from + 1)
  return id === 1 ? 64 + bytes.readUInt16LE(from + 1) : id
}

/** Writes a message in chunks of the first chunk size. Its timestamp is 0. */
export function writeChunks(
  chunkStream: number,
  { type, streamId, body }: Omit<RtmpMessage, 'timestamp'>,
): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt8(chunkStream)
  header.writeUIntBE(body.length, 4, 3)
  header.writeUInt8(type, 7)
  header.writeUInt32LE(streamId, 8)
  const parts: Buffer[] = [header]
  for (let at = 0; at < body.length; at += FIRST_CHUNK_SIZE) {
    if (at > 0) parts.push(Buffer.from([0xc0 | chunkStream]))
    parts.push(body.subarray(at, at + FIRST_CHUNK_SIZE))
  }
  return Buffer.concat(parts)
}
