import { connect } from 'node:net'

/** Large enough that the kernel's calls are few, small enough to stay in the processor's cache. */
const BUFFER_BYTES = 64 * 1024

export interface Download {
  port: number
  /** Files that every connection asks for in turn, each known to exist. */
  paths: readonly string[]
  connections: number
  milliseconds: number
}

/**
 * How fast files come from a server of loopback, in Gbit/s. A load generator of its own kind: what it reads goes into
 * one buffer per connection and is looked at no further, since usual clients take longer than the servers.
 */
export async function download({ port, paths, connections, milliseconds }: Download): Promise<number> {
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`))
  const startedAt = performance.now()
  const endsAt = startedAt + milliseconds
  const received = await Promise.all(
    Array.from({ length: connections }, async (_, index) => await downloadOne(port, requests, index, endsAt)),
  )
  const bytes = received.reduce((sum, one) => sum + one, 0)
  return (bytes * 8) / 1e9 / ((performance.now() - startedAt) / 1000)
}

async function downloadOne(port: number, requests: Buffer[], first: number, endsAt: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    let bytes = 0
    let left = 0
    let next = first
    const ask = () => socket.write(requests[next++ % requests.length] ?? '')
    const socket = connect(
      {
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer: Buffer.alloc(BUFFER_BYTES),
          callback: (length, buffer) => {
            bytes += length
            try {
              left = left === 0 ? bodyLeft(buffer, length) : left - length
            } catch (error) {
              socket.destroy()
              reject(error)
              return false
            }
            if (left > 0) return true
            if (performance.now() < endsAt) ask()
            else socket.end(() => resolve(bytes))
            return true
          },
        },
      },
      ask,
    )
    socket.once('error', reject)
  })
}

/** How much of the body is still to come after the first piece of an answer. */
function bodyLeft(buffer: Uint8Array, length: number): number {
  const head = Buffer.from(buffer.buffer, buffer.byteOffset, length)
  const end = head.indexOf('\r\n\r\n')
  const text = head.toString('latin1', 0, end)
  const size = /^content-length: (\d+)/im.exec(text)?.[1]
  if (end < 0 || !text.startsWith('HTTP/1.1 200') || size === undefined) {
    throw new Error(`An answer without a file: ${text.split('\r\n', 1)[0]}`)
  }
  return Number(size) - (length - end - 4)
}
