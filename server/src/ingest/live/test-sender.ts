import { createSocket } from 'node:dgram'

/** Size of a datagram: seven MPEG-TS packets. */
const DATAGRAM = 7 * 188

/**
 * Sends MPEG-TS over UDP to a port of this machine, spread over `seconds`. Not by ffmpeg, which would drop streams
 * of unknown types.
 *
 * @returns a function that stops the sender
 */
export function sendInRealTime(bytes: Buffer, port: number, seconds: number): () => void {
  const socket = createSocket('udp4')
  const begun = Date.now()
  let at = 0
  const timer = setInterval(() => {
    const due = (bytes.length * (Date.now() - begun)) / (seconds * 1000)
    for (; at < Math.min(due, bytes.length); at += DATAGRAM)
      socket.send(bytes.subarray(at, at + DATAGRAM), port, '127.0.0.1')
  }, 10)
  return () => {
    clearInterval(timer)
    socket.close()
  }
}
