import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readAmf, writeAmf } from './amf.ts'
import { ChunkReader, writeChunks } from './chunks.ts'
import { FLV_HEADER } from './flv.ts'
import { RtmpPorts } from './rtmp-ports.ts'

const PATIENCE = { timeout: 20_000 }

const HOST = '127.0.0.1'
const PATH = 'live/key-of-studio'
/** Messages of a stream with video: formats, a key frame, and a frame that is no key frame. */
const PICTURE_FORMAT = Buffer.from([0x17, 0, 0, 0, 0, 1])
const SOUND_FORMAT = Buffer.from([0xaf, 0, 0x11, 0x90])
const KEY_FRAME = Buffer.from([0x17, 1, 0, 0, 0, 2])
const FRAME = Buffer.from([0x27, 1, 0, 0, 0, 3])

describe('ports that receive RTMP', () => {
  let port: number
  let ports: RtmpPorts
  let stopping: AbortController
  let refused: string[]
  const senders: Sender[] = []

  beforeEach(async () => {
    port = await freePort()
    refused = []
    stopping = new AbortController()
    ports = new RtmpPorts({ onAdmitted: () => undefined, onRefused: (reason) => refused.push(reason) })
  })
  afterEach(() => {
    stopping.abort(new Error('the test is over'))
    for (const sender of senders.splice(0)) sender.close()
  })

  async function sender(): Promise<Sender> {
    const made = await Sender.connect(port)
    senders.push(made)
    return made
  }

  async function publish(path: string): Promise<{ sender: Sender; status: string }> {
    const made = await sender()
    return { sender: made, status: await made.publish(path) }
  }

  const next = async () =>
    await ports.claim({ host: HOST, port, path: PATH }, stopping.signal).next(stopping.signal)

  it('gives the media of the sender that names the key, as FLV', async () => {
    const reading = next()
    const { sender, status } = await vi.waitFor(async () => await publish(PATH), PATIENCE)
    expect(status).toBe('NetStream.Publish.Start')
    const flv = await reading
    sender.media(18, writeAmf(['@setDataFrame', 'onMetaData', { width: 320 }]))
    sender.media(9, PICTURE_FORMAT)
    sender.media(8, SOUND_FORMAT)
    // This frame must be dropped, because it arrives before a key frame.
    sender.media(9, FRAME)
    sender.media(9, KEY_FRAME)
    sender.close()
    const bytes = await all(flv)
    expect(bytes.subarray(0, FLV_HEADER.length)).toEqual(FLV_HEADER)
    const [description, ...others] = tagsOf(bytes)
    expect(readAmf(description ?? Buffer.alloc(0))).toEqual(['onMetaData', { width: 320 }])
    expect(others).toEqual([PICTURE_FORMAT, SOUND_FORMAT, KEY_FRAME])
  })

  it('receives a key that another input has released', async () => {
    const earlier = new AbortController()
    ports.claim({ host: HOST, port, path: PATH }, earlier.signal)
    const key = ports.claim({ host: HOST, port, path: PATH }, stopping.signal)
    await expect(key.next(stopping.signal)).rejects.toThrow('another input has the same stream key')
    earlier.abort(new Error('the input was removed'))
    const reading = key.next(stopping.signal)
    const { status } = await vi.waitFor(async () => await publish(PATH), PATIENCE)
    expect(status).toBe('NetStream.Publish.Start')
    await reading
  })

  it('lets the sender stay when its reader leaves, and the next reader joins at a key frame', async () => {
    const key = ports.claim({ host: HOST, port, path: PATH }, stopping.signal)
    const reading = key.next(stopping.signal)
    const { sender } = await vi.waitFor(async () => await publish(PATH), PATIENCE)
    const first = await reading
    for (const body of [PICTURE_FORMAT, KEY_FRAME, FRAME]) sender.media(9, body)
    // Waits until all three messages have arrived.
    await vi.waitFor(
      () => expect(first.readableLength).toBe(FLV_HEADER.length + 3 * (11 + FRAME.length + 4)),
      PATIENCE,
    )
    first.destroy()
    const second = await key.next(stopping.signal)
    for (const body of [FRAME, KEY_FRAME, FRAME]) sender.media(9, body)
    sender.close()
    expect(tagsOf(await all(second)).slice(-3)).toEqual([PICTURE_FORMAT, KEY_FRAME, FRAME])
  })

  it('ends the stream when the format of the picture changes, because ffmpeg would not notice', async () => {
    const reading = next()
    const { sender } = await vi.waitFor(async () => await publish(PATH), PATIENCE)
    const flv = await reading
    for (const body of [PICTURE_FORMAT, KEY_FRAME, Buffer.from([0x17, 0, 0, 0, 0, 9]), KEY_FRAME])
      sender.media(9, body)
    expect(tagsOf(await all(flv))).toEqual([PICTURE_FORMAT, KEY_FRAME])
    expect(sender.isOpen).toBe(true)
  })

  it('serves several keys on one port, and closes the port with the last', async () => {
    const other = new AbortController()
    const reading = ports
      .claim({ host: HOST, port, path: 'live/another-key' }, other.signal)
      .next(other.signal)
    const first = next()
    await vi.waitFor(
      async () => expect((await publish('live/another-key')).status).toMatch(/Start/),
      PATIENCE,
    )
    await reading
    other.abort(new Error('removed'))
    expect((await publish(PATH)).status).toBe('NetStream.Publish.Start')
    await first
    expect((await publish('live/another-key')).status).toBe('NetStream.Publish.BadName')
    stopping.abort(new Error('removed'))
    await vi.waitFor(async () => await expect(Sender.connect(port)).rejects.toThrow(/ECONNREFUSED/), PATIENCE)
  })

  it.each(['live/key-of-studi', 'live/key-of-studio2', 'live/', 'other/key-of-studio', ''])(
    'refuses the key %j, without a word of it in the log',
    async (path) => {
      const waiting = next()
      const { sender, status } = await vi.waitFor(async () => await publish(path), PATIENCE)
      expect(status).toBe('NetStream.Publish.BadName')
      await sender.closed
      expect(refused).toEqual(['its stream key is not known'])
      stopping.abort(new Error('the test is over'))
      await expect(waiting).rejects.toThrow('the test is over')
    },
  )

  it('refuses a second sender with a key that is in use, until the first has left', async () => {
    const reading = next()
    const { sender } = await vi.waitFor(async () => await publish(PATH), PATIENCE)
    const flv = await reading
    expect((await publish(PATH)).status).toBe('NetStream.Publish.BadName')
    expect(refused).toEqual(['another sender uses its stream key'])
    for (const body of [PICTURE_FORMAT, KEY_FRAME]) sender.media(9, body)
    sender.command('FCUnpublish', 6, null, 'key-of-studio')
    expect(tagsOf(await all(flv))).toEqual([PICTURE_FORMAT, KEY_FRAME])
    expect((await publish(PATH)).status).toBe('NetStream.Publish.Start')
  })

  it.each<[what: string, send: (sender: Sender) => void, reason: RegExp]>([
    ['a command that is cut off', (sender) => sender.raw(20, Buffer.from([2, 0, 9])), /cut off/],
    ['a connection without an application', (sender) => sender.command('connect', 1, {}), /no application/],
    ['a player', (sender) => sender.command('play', 4, null, 'key-of-studio'), /asked to receive/],
    ['a long message before the key', (sender) => sender.raw(9, Buffer.alloc(9000)), /too long/],
  ])('refuses %s', async (_what, send, reason) => {
    void next().catch(() => undefined)
    const made = await vi.waitFor(sender, PATIENCE)
    send(made)
    await made.closed
    expect(refused).toEqual([expect.stringMatching(reason)])
  })

  it('refuses a sender that does not read the answers to its commands', async () => {
    void next().catch(() => undefined)
    const made = await vi.waitFor(sender, PATIENCE)
    made.pause()
    const body = writeAmf(['createStream', 4, null])
    const command = writeChunks(3, { type: 20, streamId: 0, body })
    const commands = Buffer.concat(Array.from({ length: 1000 }, () => command))
    // Sends many commands, because the system buffers some megabytes of the answers.
    for (let sent = 0; refused.length === 0 && sent < 100_000_000; sent += commands.length)
      await made.write(commands)
    await vi.waitFor(() => expect(refused).toEqual(['it does not read the answers']), PATIENCE)
  })

  it('refuses a connection that does not speak RTMP', async () => {
    void next().catch(() => undefined)
    const socket = await vi.waitFor(async () => {
      const opened = connect(port, HOST)
      await once(opened, 'connect')
      return opened
    }, PATIENCE)
    const refusal = closed(socket)
    socket.write('GET / HTTP/1.1\r\n\r\n')
    await refusal
    expect(refused).toEqual(['it does not speak RTMP'])
  })

  it('says that a port is taken, or that a key is taken', async () => {
    const taken = createServer().listen(port, HOST)
    await once(taken, 'listening')
    const key = ports.claim({ host: HOST, port, path: PATH }, stopping.signal)
    await expect(key.next(stopping.signal)).rejects.toThrow(
      `port ${port} cannot be listened on: listen EADDRINUSE`,
    )
    await expect(next()).rejects.toThrow('another input has the same stream key')
    taken.close()
    await once(taken, 'close')
    const reading = key.next(stopping.signal)
    await vi.waitFor(async () => expect((await publish(PATH)).status).toMatch(/Start/), PATIENCE)
    await reading
  })
})

/** A minimal RTMP encoder for the tests. */
class Sender {
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #reader = new ChunkReader(100_000)
  #onStatus: (code: string) => void = () => undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    this.closed = closed(socket)
  }

  static async connect(port: number): Promise<Sender> {
    const socket = connect(port, HOST)
    await once(socket, 'connect')
    const sender = new Sender(socket)
    const hello = Buffer.alloc(1537)
    hello.writeUInt8(3)
    socket.write(hello)
    await sender.#shakeHands()
    return sender
  }

  async #shakeHands(): Promise<void> {
    let bytes = Buffer.alloc(0)
    await new Promise<void>((resolve) => {
      this.#socket.on('data', (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk])
        if (bytes.length >= 3073) resolve()
      })
    })
    this.#socket.removeAllListeners('data')
    this.#socket.write(bytes.subarray(1, 1537))
    this.#socket.on('data', (chunk: Buffer) => {
      for (const { type, body } of this.#reader.push(chunk)) {
        const [name, , , details] = type === 20 ? readAmf(body) : []
        const isStatus = name === 'onStatus' && details !== null && typeof details === 'object'
        if (isStatus && 'code' in details && typeof details.code === 'string') this.#onStatus(details.code)
      }
    })
  }

  get isOpen(): boolean {
    return this.#socket.readyState === 'open'
  }

  /** Requests to publish a stream. @returns the status code of the answer */
  async publish(path: string): Promise<string> {
    const at = path.lastIndexOf('/')
    const answered = new Promise<string>((resolve) => {
      this.#onStatus = resolve
    })
    this.command('connect', 1, { app: path.slice(0, Math.max(at, 0)), tcUrl: 'rtmp://studio' })
    this.command('releaseStream', 2, null, path.slice(at + 1))
    this.command('createStream', 4, null)
    this.command('publish', 5, null, path.slice(at + 1), 'live')
    return await answered
  }

  command(...values: Parameters<typeof writeAmf>[0]): void {
    this.raw(20, writeAmf(values))
  }

  media(type: number, body: Buffer): void {
    this.#socket.write(writeChunks(4, { type, streamId: 1, body }))
  }

  raw(type: number, body: Buffer): void {
    this.#socket.write(writeChunks(3, { type, streamId: 0, body }))
  }

  /** Reads nothing from now on. */
  pause(): void {
    this.#socket.pause()
  }

  /** Writes bytes. Resolves when the system has accepted them, or when the connection is closed. */
  async write(bytes: Buffer): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.write(bytes, () => resolve()))
  }

  close(): void {
    this.#socket.end()
  }
}

/** Resolves when the connection is closed in any way: a refused sender may get a reset. */
async function closed(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => socket.on('error', () => undefined).once('close', () => resolve()))
}

async function all(flv: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of flv) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Returns the bodies of the tags of an FLV file. */
function tagsOf(flv: Buffer): Buffer[] {
  const bodies: Buffer[] = []
  for (let at = FLV_HEADER.length; at < flv.length; ) {
    const length = flv.readUIntBE(at + 1, 3)
    bodies.push(flv.subarray(at + 11, at + 11 + length))
    at += 11 + length + 4
  }
  return bodies
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
