import { execFile, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@ondine/server/ingest/live/free-port'

const run = promisify(execFile)

/** Bit rate of the whole signal with audio and packet headers, in bits per second. */
const SIGNAL_BITS = 6_000_000
/** Frame rate of a signal, in frames per second. */
export const SIGNAL_FRAME_RATE = 25
/** Length of the encoded part, in seconds. The signal repeats this part. */
const ENCODED_SECONDS = 10
/** Size of a datagram of MPEG-TS: seven packets of 188 bytes. */
const DATAGRAM_BYTES = 7 * 188
/** Interval between two transmissions of datagrams, in milliseconds. */
const TICK_MS = 5

/**
 * Makes a signal with a constant bit rate: 1280x720, with a key frame every two seconds. @returns the signal's
 * file
 */
export async function constantSignal(folder: string, seconds: number): Promise<string> {
  // The part is in MP4, which has exact durations. MPEG-TS has only estimated durations, so a repetition would
  // begin some frames late.
  const part = join(folder, 'part.mp4')
  const file = join(folder, `signal-${seconds}.ts`)
  const rate = `${SIGNAL_BITS - 400_000}`
  await run('ffmpeg', [
    ...`-nostdin -v error -y -f lavfi -i testsrc2=size=1280x720:rate=${SIGNAL_FRAME_RATE}:duration=${ENCODED_SECONDS}`.split(
      ' ',
    ),
    ...`-f lavfi -i sine=frequency=440:sample_rate=48000:duration=${ENCODED_SECONDS}`.split(' '),
    ...`-c:v libx264 -preset superfast -pix_fmt yuv420p -g 50 -sc_threshold 0 -x264-params nal-hrd=cbr`.split(
      ' ',
    ),
    ...`-b:v ${rate} -minrate ${rate} -maxrate ${rate} -bufsize ${rate} -c:a aac -ac 2 -b:a 128k`.split(' '),
    ...`-f mp4 ${part}`.split(' '),
  ])
  const copy = `-nostdin -v error -y -stream_loop -1 -i ${part} -c copy -t ${seconds} -muxrate ${SIGNAL_BITS} -f mpegts ${file}`
  await run('ffmpeg', copy.split(' '))
  return file
}

/** Returns UDP ports of this machine that are not in use. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}

/**
 * Sends a file with a constant bit rate to all ports once, in real time. Stops early when `signal` aborts.
 *
 * @returns the duration in seconds
 */
export async function sendToAll(
  file: string,
  seconds: number,
  ports: readonly number[],
  signal?: AbortSignal,
): Promise<number> {
  const { size } = await stat(file)
  const socket = createSocket('udp4')
  const datagrams = createReadStream(file, { highWaterMark: DATAGRAM_BYTES * 64 })[Symbol.asyncIterator]()
  const startedAt = performance.now()
  let sent = 0
  let held: Buffer = Buffer.alloc(0)
  try {
    while (sent < size) {
      if (signal?.aborted) break
      const due = Math.min(size, ((performance.now() - startedAt) / 1000 / seconds) * size)
      while (sent < due) {
        if (held.length < DATAGRAM_BYTES) {
          const { value, done } = await datagrams.next()
          if (done !== true) held = Buffer.concat([held, value as Buffer])
        }
        const datagram = held.subarray(0, DATAGRAM_BYTES)
        held = held.subarray(DATAGRAM_BYTES)
        for (const port of ports) socket.send(datagram, port, '127.0.0.1')
        sent += datagram.length
        if (datagram.length === 0) sent = size
      }
      await new Promise((resolve) => setTimeout(resolve, TICK_MS))
    }
  } finally {
    socket.close()
  }
  return (performance.now() - startedAt) / 1000
}

/**
 * Starts an ffmpeg that copies the signal of a port to files of two seconds. This is the least work that receiving
 * a signal needs.
 */
export function startCopy(port: number, folder: string): { pid: number; stop(): Promise<void> } {
  const input = `udp://127.0.0.1:${port}?fifo_size=50000&overrun_nonfatal=1&buffer_size=4194304`
  const child = spawn(
    'ffmpeg',
    [
      ...'-nostdin -v error -f mpegts -i'.split(' '),
      input,
      ...'-map 0 -c copy -f segment -segment_time 2'.split(' '),
      join(folder, `${port}-%d.mp4`),
    ],
    { stdio: 'ignore' },
  )
  if (child.pid === undefined) throw new Error('ffmpeg could not be started.')
  return {
    pid: child.pid,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
