import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Status and size of an answer. */
export interface Answer {
  status: number
  /** Length of the body, in bytes. */
  bytes: number
}

/**
 * Size of the receive buffer. It is large enough for few system calls, and small enough for the processor's cache.
 */
const BUFFER_BYTES = 64 * 1024
const END_OF_HEAD = '\r\n\r\n'
const END_OF_CHUNKS = '\r\n0\r\n\r\n'

/**
 * A keep-alive connection to a loopback server. It sends one request at a time. It only counts the received bytes,
 * because an ordinary HTTP client takes longer to read an answer than the measured servers take to send it.
 */
export class Connection {
  readonly #socket: Socket
  /** Number of bytes of the body that have not arrived yet. */
  #left = 0
  #answer: Answer = { status: 0, bytes: 0 }
  /** Last bytes of a chunked answer, to detect its end; undefined for an answer with a length. */
  #tail: string | undefined
  #settle: { resolve(answer: Answer): void; reject(error: Error): void } | undefined

  private constructor(port: number) {
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.alloc(BUFFER_BYTES),
        callback: (length, buffer) => {
          this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, length))
          return true
        },
      },
    })
    this.#socket.on('error', (error) => this.#settle?.reject(error))
    this.#socket.on('close', () => this.#settle?.reject(new Error('The server closed the connection.')))
  }

  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port)
    await once(connection.#socket, 'connect')
    return connection
  }

  /** Sends a whole request with head and body. The previous request must have been answered. */
  async ask(request: Buffer): Promise<Answer> {
    return await new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#settle = undefined
    this.#socket.destroy()
  }

  #read(piece: Buffer): void {
    if (this.#tail !== undefined) this.#readChunks(piece)
    else if (this.#left > 0) this.#left -= piece.length
    else {
      const end = piece.indexOf(END_OF_HEAD)
      const head = piece.toString('latin1', 0, end)
      if (end >= 0 && /^transfer-encoding: chunked/im.test(head)) {
        this.#answer = { status: Number(head.slice(9, 12)), bytes: 0 }
        this.#tail = ''
        this.#left = 1
        this.#readChunks(piece.subarray(end + END_OF_HEAD.length))
        this.#answerWhenWhole()
        return
      }
      const length = /^content-length: (\d+)/im.exec(head)?.[1]
      if (end < 0 || length === undefined) {
        this.#settle?.reject(new Error(`An answer without a length: ${head.split('\r\n', 1)[0]}`))
        this.close()
        return
      }
      this.#answer = { status: Number(head.slice(9, 12)), bytes: Number(length) }
      this.#left = Number(length) - (piece.length - end - END_OF_HEAD.length)
    }
    this.#answerWhenWhole()
  }

  #readChunks(piece: Buffer): void {
    this.#answer.bytes += piece.length
    this.#tail = (
      this.#tail + piece.toString('latin1', Math.max(0, piece.length - END_OF_CHUNKS.length))
    ).slice(-END_OF_CHUNKS.length)
    if (this.#tail !== END_OF_CHUNKS) return
    this.#tail = undefined
    this.#left = 0
  }

  #answerWhenWhole(): void {
    if (this.#left > 0) return
    const { resolve } = this.#settle ?? {}
    this.#settle = undefined
    resolve?.(this.#answer)
  }
}

/** The fields of a request. {@link encodeRequest} converts them to bytes. */
export interface Request {
  method?: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

export function encodeRequest({ method = 'GET', path, headers = {}, body }: Request): Buffer {
  const all = {
    host: 'localhost',
    ...headers,
    ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}
