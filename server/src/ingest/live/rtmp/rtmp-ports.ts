import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { LiveSourceError } from '../source-error.ts'
import type { RtmpMessage } from './chunks.ts'
import { FLV_HEADER, type FlvPart, flvTag, partOf } from './flv.ts'
import { type Admission, type RtmpPublication, RtmpSender } from './rtmp-sender.ts'

/** The address at which a stream key is received. */
export interface RtmpAddress {
  /** Address of this machine to listen on. */
  host: string
  port: number
  /** The application and the stream key, as in `live/key`. */
  path: string
}

/** Receives the events of listeners, for the log. No argument contains a stream key. */
export interface RtmpLog {
  onRefused(reason: string, from: string, port: number): void
  onAdmitted(from: string, port: number): void
}

/** A stream key that this process receives. */
export interface RtmpKey {
  /**
   * Waits for a sender with this key. A connected sender can be read again, from its next key frame on.
   *
   * @returns the sender's media as FLV. The stream ends when the sender leaves
   * @throws LiveSourceError if another input has the key, or if listening on the port fails
   */
  next(signal: AbortSignal): Promise<Readable>
}

/** Maximum number of connections per port. Each of them takes a little memory before its key is known. */
const MOST_CONNECTIONS = 100
/** Maximum bytes of a stream that wait for ffmpeg. After that, the sender is paused. */
const WAITING_BYTES = 4_000_000

/** The ports on which this process receives RTMP. A port serves any number of stream keys. */
export class RtmpPorts {
  readonly #log: RtmpLog
  readonly #ports = new Map<string, RtmpPort>()

  constructor(log: RtmpLog) {
    this.#log = log
  }

  /**
   * Receives a key until `signal` aborts. If another input has the key, `next` fails until that input releases the
   * key.
   */
  claim(address: RtmpAddress, signal: AbortSignal): RtmpKey {
    let claimed = this.#add(address)
    signal.addEventListener(
      'abort',
      () => {
        if (claimed) this.#remove(address, claimed)
      },
      { once: true },
    )
    return {
      next: async (until) => {
        signal.throwIfAborted()
        claimed ??= this.#add(address)
        if (!claimed) throw new LiveSourceError('another input has the same stream key')
        await claimed.listener.listen()
        return await claimed.mount.next(until)
      },
    }
  }

  /** Claims a key. @returns undefined if another input has the key */
  #add({ host, port, path }: RtmpAddress): Claimed | undefined {
    const name = `${host} ${port}`
    const listener = this.#ports.get(name) ?? new RtmpPort(host, port, this.#log)
    this.#ports.set(name, listener)
    const mount = listener.add(path)
    return mount && { listener, mount }
  }

  #remove({ host, port, path }: RtmpAddress, { listener, mount }: Claimed): void {
    listener.remove(path, mount)
    if (!listener.isUnused) return
    this.#ports.delete(`${host} ${port}`)
    listener.close()
  }
}

/** A key that is being received, with its port. */
interface Claimed {
  listener: RtmpPort
  mount: Mount
}

/** One port, with its keys. */
class RtmpPort implements Admission {
  readonly #host: string
  readonly #port: number
  readonly #log: RtmpLog
  /** The keys by the digest of their path, so that the time of a look-up reveals nothing about a key. */
  readonly #mounts = new Map<string, Mount>()
  readonly #senders = new Set<RtmpSender>()
  #server: Server | undefined
  #listening: Promise<void> | undefined

  constructor(host: string, port: number, log: RtmpLog) {
    this.#host = host
    this.#port = port
    this.#log = log
  }

  get isUnused(): boolean {
    return this.#mounts.size === 0
  }

  /** Adds a path. @returns undefined if another input has the path */
  add(path: string): Mount | undefined {
    const digest = digestOf(path)
    if (this.#mounts.has(digest)) return undefined
    const mount = new Mount()
    this.#mounts.set(digest, mount)
    return mount
  }

  remove(path: string, mount: Mount): void {
    this.#mounts.delete(digestOf(path))
    mount.close()
  }

  /** Listens on the port, unless it already does. @throws LiveSourceError if listening fails */
  async listen(): Promise<void> {
    this.#listening ??= this.#listen()
    await this.#listening
  }

  async #listen(): Promise<void> {
    const server = createServer((socket) => this.#connect(socket))
    server.maxConnections = MOST_CONNECTIONS
    try {
      server.listen(this.#port, this.#host)
      await once(server, 'listening')
    } catch (error) {
      this.#listening = undefined
      const reason = error instanceof Error ? error.message : ''
      throw new LiveSourceError(`port ${this.#port} cannot be listened on: ${reason}`, { cause: error })
    }
    // Accepting a single connection failed. The other connections continue.
    server.on('error', (error) => this.#log.onRefused(error.message, '', this.#port))
    this.#server = server
    if (this.isUnused) this.close()
  }

  close(): void {
    this.#server?.close()
    for (const sender of this.#senders) sender.close()
  }

  admit(path: string, sender: RtmpSender): RtmpPublication | undefined {
    const mount = this.#mounts.get(digestOf(path))
    const publication = mount?.begin(sender)
    if (publication) this.#log.onAdmitted(sender.from, this.#port)
    else
      this.onRefused(
        mount ? 'another sender uses its stream key' : 'its stream key is not known',
        sender.from,
      )
    return publication
  }

  onRefused(reason: string, from: string): void {
    this.#log.onRefused(reason, from, this.#port)
  }

  #connect(socket: Socket): void {
    const sender = new RtmpSender(socket, this)
    this.#senders.add(sender)
    socket.on('close', () => this.#senders.delete(sender))
  }
}

/** A key, with its current sender and reader, if any. */
class Mount {
  #sender: RtmpSender | undefined
  #flv: Readable | undefined
  /** Whether the reader waits for a key frame. */
  #isJoining = false
  /** Messages that a reader must get before the first frame. */
  readonly #formats = new Map<FlvPart, RtmpMessage>()
  #onSender: () => void = () => undefined

  /** Accepts a sender. @returns undefined if another sender is connected */
  begin(sender: RtmpSender): RtmpPublication | undefined {
    if (this.#sender) return undefined
    this.#sender = sender
    this.#formats.clear()
    this.#onSender()
    return {
      take: (message) => this.#take(message),
      end: () => {
        this.#sender = undefined
        this.#endFlv()
      },
    }
  }

  async next(signal: AbortSignal): Promise<Readable> {
    signal.throwIfAborted()
    if (!this.#sender) {
      await new Promise<void>((resolve, reject) => {
        const abort = (): void => reject(signal.reason)
        signal.addEventListener('abort', abort, { once: true })
        this.#onSender = () => {
          signal.removeEventListener('abort', abort)
          resolve()
        }
      })
    }
    this.#flv?.destroy()
    return this.#read()
  }

  close(): void {
    this.#sender?.close()
  }

  #endFlv(): void {
    this.#flv?.push(null)
    this.#flv = undefined
  }

  #read(): Readable {
    const flv = new Readable({
      highWaterMark: WAITING_BYTES,
      read: () => this.#sender?.resume(),
      destroy: (error, done) => {
        if (this.#flv === flv) {
          this.#flv = undefined
          // Without a reader, media is dropped. A paused sender must continue then, because it would otherwise
          // disconnect.
          this.#sender?.resume()
        }
        done(error)
      },
    })
    flv.push(FLV_HEADER)
    for (const message of this.#formats.values()) flv.push(flvTag(message))
    this.#isJoining = true
    this.#flv = flv
    if (!this.#sender) flv.push(null)
    return flv
  }

  #take(message: RtmpMessage): void {
    const part = partOf(message)
    const isFrame = part === 'keyFrame' || part === 'frame'
    const before = this.#formats.get(part)
    if (!isFrame) this.#formats.set(part, message)
    // Ends the stream, so that ffmpeg is restarted. ffmpeg would otherwise keep the earlier format.
    if (part === 'pictureFormat' && before && !before.body.equals(message.body)) this.#endFlv()
    if (!this.#flv) return
    if (isFrame && this.#isJoining) {
      // A stream with sound only has no key frames.
      if (part !== 'keyFrame' && this.#formats.has('pictureFormat')) return
      this.#isJoining = false
    }
    if (!this.#flv.push(flvTag(message))) this.#sender?.pause()
  }
}

function digestOf(path: string): string {
  return createHash('sha256').update(path).digest('base64')
}
