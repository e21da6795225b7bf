import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError } from 'fastify'
import { invalidFields, presentError } from './errors.ts'

/** Answers for requests that Node refuses, by error code: the status, the name of the faulty part, and the fault. */
const UNREAD: Readonly<Record<string, readonly [status: number, field: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'address', 'is too long, or the headers are'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request', 'did not arrive completely in time'],
}
const UNREADABLE = [400, 'request', 'is not HTTP'] as const

/**
 * Maximum bytes read from a connection whose request is refused. A client that sends more is disconnected, and may
 * not receive the answer.
 */
const MOST_UNREAD = 1_000_000
/** How long the refused connection stays open, in milliseconds. */
const LINGER_MS = 2000

/**
 * Answers a request that Node could not parse, in the same form as other errors. Writes to the socket, because
 * there is no reply object.
 */
export function answerUnread(error: ConnectionError, socket: Socket): void {
  if (socket.writable) {
    const [status, field, message] = UNREAD[error.code] ?? UNREADABLE
    const body = JSON.stringify({ status: false, error: presentError(invalidFields([{ field, message }])) })
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'connection: close',
      'content-type: application/json; charset=utf-8',
      'x-content-type-options: nosniff',
      `content-length: ${Buffer.byteLength(body)}`,
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
  // Node reports an error for each further chunk. The socket is not destroyed at once: a client that is
  // disconnected while it sends does not read the answer.
  if (!error.code.startsWith('HPE_') || socket.bytesRead > MOST_UNREAD) socket.destroy(error)
}
