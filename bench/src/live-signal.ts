import { execFile, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@ondine/server/ingest/live/free-port'

const run = promisify(execFile)

/** Bit rate of the signal with its sound and its packets, in bits per second. */
const SIGNAL_BITS = 6_000_000
/** Frames a second of a signal. */
export const SIGNAL_FRAME_RATE = 25
/** Length of the part that is encoded, in seconds. It is repeated. */
const ENCODED_SECONDS = 10
/** A datagram of MPEG-TS: seven packets of 188 bytes. */
const DATAGRAM_BYTES = 7 * 188
/** Interval at which datagrams are sent, in milliseconds. */
const TICK_MS = 5

/** Makes a signal of a constant bit rate: 1280x720, a key frame every two seconds. @returns its file */
export async function constantSignal(folder: string, seconds: number): Promise<string> {
  // MP4 has exact durations. Those of MPEG-TS are estimated, so a repeated part would begin some frames late.
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

/** Returns UDP ports of this machine that no program uses now. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}

/**
 * Sends a file of a constant bit rate once to all ports, in real time. Stops early when `signal` aborts.
 *
 * @returns the seconds it took
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

/** An ffmpeg that copies the signal of a port to files of two seconds: the least work that receiving takes. */
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
