import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { type AmfValue, readAmf, writeAmf } from './amf.ts'
import { ChunkReader, type RtmpMessage, writeChunks } from './chunks.ts'
import { isMedia } from './flv.ts'
import { RtmpError } from './rtmp-error.ts'

/** Types of messages (RTMP 1.0, sections 5.4 and 7.1). */
const ACKNOWLEDGEMENT = 3
const WINDOW_SIZE = 5
const PEER_BANDWIDTH = 6
const COMMAND_AMF3 = 17
const COMMAND = 20

/** Chunk streams for messages about the connection, and for commands. */
const CONTROL_CHUNKS = 2
const COMMAND_CHUNKS = 3
/** The message stream that a sender publishes on. */
const MEDIA_STREAM = 1

const VERSION = 3
const HANDSHAKE_BYTES = 1536
/** Interval of acknowledgements, in received bytes. Some senders stop without acknowledgements. */
const WINDOW_BYTES = 2_500_000
/** Maximum bytes of answers that the sender has not read yet. Senders need some hundred bytes. */
const MOST_UNREAD = 65_536
/** Maximum length of a message before the sender is admitted, in bytes. */
const STRANGER_BYTES = 8192
/** Maximum length of a message from an admitted sender, in bytes: a key frame. */
const MEDIA_BYTES = 8_000_000
/** Time limit for a sender to name its key, in milliseconds. */
const STRANGER_MS = 10_000
/** Silence after which a sender is disconnected, in milliseconds. */
const SILENT_MS = 10_000
/** Time limit for a sender to close its connection after the end of its stream, in milliseconds. */
const LEAVING_MS = 5000

/** Receives the media of an admitted sender. */
export interface RtmpPublication {
  take(message: RtmpMessage): void
  /** Called once, when the sender has left. */
  end(): void
}

/** A listener's decisions about its senders, and its handlers of their events. */
export interface Admission {
  /**
   * Admits a sender, or refuses it.
   *
   * @param path the application and the stream key, as in `live/key`
   * @returns undefined if the sender is refused
   */
  admit(path: string, sender: RtmpSender): RtmpPublication | undefined
  /** Called when a connection is closed because of the data that it sent. */
  onRefused(reason: string, from: string): void
}

/** The connection of an encoder that sends RTMP to this machine. */
export class RtmpSender {
  /** Address of the peer. */
  readonly from: string
  readonly #socket: Socket
  readonly #admission: Admission
  readonly #reader = new ChunkReader(STRANGER_BYTES)
  readonly #timer: NodeJS.Timeout
  /** The received part of the handshake; undefined when the handshake is complete. */
  #handshake: Buffer | undefined = Buffer.alloc(0)
  #application = ''
  #publication: RtmpPublication | undefined
  /** Whether the connection has ended. Bytes that arrive later are ignored. */
  #isOver = false
  #received = 0
  #acknowledged = 0

  constructor(socket: Socket, admission: Admission) {
    this.#socket = socket
    this.#admission = admission
    this.from = socket.remoteAddress ?? ''
    this.#timer = setTimeout(() => {
      this.#refuse('it named no stream key in time')
    }, STRANGER_MS).unref()
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#take(chunk))
    // A socket that is paused for a slow ffmpeg receives no data, and does not count as silent.
    socket.setTimeout(SILENT_MS, () => {
      if (!socket.isPaused()) socket.destroy()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#leave())
  }

  /** Stops reading until {@link resume}. The encoder then waits or drops frames. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return
    try {
      const rest = this.#handshake ? this.#shakeHands(this.#handshake, chunk) : chunk
      this.#received += chunk.length
      this.#acknowledge()
      for (const message of this.#reader.push(rest)) {
        if (!this.#isOver) this.#handle(message)
      }
    } catch (error) {
      if (!(error instanceof RtmpError)) throw error
      this.#refuse(error.message)
    }
  }

  /** Answers the handshake (section 5.2). @returns the bytes that follow the handshake */
  #shakeHands(before: Buffer, chunk: Buffer): Buffer {
    const bytes = Buffer.concat([before, chunk])
    if (bytes.length > 0 && bytes[0] !== VERSION) throw new RtmpError('it does not speak RTMP')
    const hello = 1 + HANDSHAKE_BYTES
    if (before.length < hello && bytes.length >= hello) {
      const ours = Buffer.concat([Buffer.alloc(8), randomBytes(HANDSHAKE_BYTES - 8)])
      this.#write(Buffer.concat([Buffer.from([VERSION]), ours, bytes.subarray(1, hello)]))
    }
    const isDone = bytes.length >= hello + HANDSHAKE_BYTES
    this.#handshake = isDone ? undefined : bytes
    return isDone ? bytes.subarray(hello + HANDSHAKE_BYTES) : Buffer.alloc(0)
  }

  #acknowledge(): void {
    if (this.#received - this.#acknowledged < WINDOW_BYTES) return
    this.#acknowledged = this.#received
    this.#control(ACKNOWLEDGEMENT, this.#received % 2 ** 32)
  }

  #handle(message: RtmpMessage): void {
    const { type, body } = message
    if (type === COMMAND) this.#obey(readAmf(body))
    // A command of AMF3 is an additional byte and a command of AMF0.
    else if (type === COMMAND_AMF3) this.#obey(readAmf(body.subarray(1)))
    else if (isMedia(message)) this.#publication?.take(message)
  }

  #obey([name, transaction, ...values]: AmfValue[]): void {
    const id = typeof transaction === 'number' ? transaction : 0
    if (name === 'connect') this.#connect(id, values[0])
    else if (name === 'createStream') this.#command('_result', id, null, MEDIA_STREAM)
    else if (name === 'publish') this.#publish(values[1])
    else if (name === 'play' || name === 'play2') this.#refuse('it asked to receive')
    else if (name === 'deleteStream' || name === 'closeStream' || name === 'FCUnpublish') this.#leave()
  }

  #connect(id: number, details: AmfValue | undefined): void {
    const application =
      details !== null && typeof details === 'object' && !Array.isArray(details) ? details.app : undefined
    if (typeof application !== 'string') throw new RtmpError('it named no application')
    this.#application = application
    this.#control(WINDOW_SIZE, WINDOW_BYTES)
    this.#control(PEER_BANDWIDTH, WINDOW_BYTES, Buffer.from([2]))
    const success = {
      level: 'status',
      code: 'NetConnection.Connect.Success',
      description: 'Connected.',
      objectEncoding: 0,
    }
    this.#command('_result', id, { fmsVer: 'FMS/3,0,1,123', capabilities: 31 }, success)
  }

  #publish(name: AmfValue | undefined): void {
    if (this.#publication) throw new RtmpError('it sends a second stream')
    const path = [this.#application, typeof name === 'string' ? name : '']
      // Removes queries and slashes that some encoders add.
      .map((part) => part.replace(/\?.*$/s, '').replaceAll(/^\/+|\/+$/g, ''))
      .join('/')
    this.#publication = this.#admission.admit(path, this)
    if (!this.#publication) {
      this.#status('error', 'NetStream.Publish.BadName', 'The stream key is not known, or in use.')
      this.#leave()
      return
    }
    clearTimeout(this.#timer)
    this.#reader.mostBytes = MEDIA_BYTES
    this.#status('status', 'NetStream.Publish.Start', 'Publishing.')
  }

  #status(level: string, code: string, description: string): void {
    const body = writeAmf(['onStatus', 0, null, { level, code, description }])
    this.#write(writeChunks(COMMAND_CHUNKS, { type: COMMAND, streamId: MEDIA_STREAM, body }))
  }

  #command(...values: AmfValue[]): void {
    this.#write(writeChunks(COMMAND_CHUNKS, { type: COMMAND, streamId: 0, body: writeAmf(values) }))
  }

  #control(type: number, value: number, more = Buffer.alloc(0)): void {
    const body = Buffer.alloc(4)
    body.writeUInt32BE(value)
    this.#write(writeChunks(CONTROL_CHUNKS, { type, streamId: 0, body: Buffer.concat([body, more]) }))
  }

  /**
   * Sends an answer. Limits the unread answers, because answers to endless commands would fill the memory.
   *
   * @throws RtmpError if the sender does not read its answers
   */
  #write(bytes: Buffer): void {
    this.#socket.write(bytes)
    if (this.#socket.writableLength > MOST_UNREAD) throw new RtmpError('it does not read the answers')
  }

  /** Ends the stream. The connection closes once the peer has received everything. */
  #leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#publication?.end()
    this.#publication = undefined
    clearTimeout(this.#timer)
    const socket = this.#socket
    socket.resume()
    socket.end()
    setTimeout(() => socket.destroy(), LEAVING_MS).unref()
  }

  #refuse(reason: string): void {
    this.#admission.onRefused(reason, this.from)
    this.#leave()
    this.#socket.destroy()
  }
}
