import { createSocket } from 'node:dgram'

/** Size of a datagram: seven MPEG-TS packets. */
const DATAGRAM = 7 * 188
/** How often datagrams are sent, in milliseconds, and how many at once: more could be lost after a pause of this process. */
const TICK_MS = 10
const MOST_AT_ONCE = 5

/**
 * Sends MPEG-TS over UDP to a port of this machine, spread over at least `seconds`. Not by ffmpeg, which would drop
 * streams of unknown types.
 *
 * @param delayMs how long the network delays what is sent at a time, in milliseconds since the beginning
 * @returns a function that stops the sender
 */
export function sendInRealTime(
  bytes: Buffer,
  port: number,
  seconds: number,
  delayMs: (sentMs: number) => number = () => 0,
): () => void {
  const socket = createSocket('udp4')
  const begun = Date.now()
  let at = 0
  const timer = setInterval(() => {
    const passed = Date.now() - begun
    const due = (bytes.length * (passed - delayMs(passed))) / (seconds * 1000)
    const until = Math.min(due, bytes.length, at + MOST_AT_ONCE * DATAGRAM)
    for (; at < until; at += DATAGRAM) socket.send(bytes.subarray(at, at + DATAGRAM), port, '127.0.0.1')
  }, TICK_MS)
  return () => {
    clearInterval(timer)
    socket.close()
  }
}
