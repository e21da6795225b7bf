import { measureRate } from './frame-rate.ts'
import { inputOptions } from './input-options.ts'
import { programReason, runProgram } from './run-program.ts'
import { words } from './words.ts'

/** What a stream's packets say, against what its header says. Times in seconds on the file's own clock. */
export interface StreamScan {
  packets: number
  /** Presentation time of the first packet that is shown. */
  startSeconds: number
  /** Where the last packet ends. */
  endSeconds: number
  bytes: number
  /** Some packets are decoded but not shown (an edit list cuts into them). */
  hidden: boolean
  /** Every packet has a presentation time. */
  timed: boolean
  /** No packet begins later than the one before it ends, give or take half a packet. */
  continuous: boolean
  /** Of video: presentation times, ascending. */
  times: number[]
  /** Of video: presentation times of the pictures at which decoding can begin and nothing before is needed. */
  keyTimes: number[]
  /** Of video: frames per second, and whether they stray from an even grid. */
  framesPerSecond: number
  variable: boolean
  /** Of video: the most bytes in any second of the file. */
  peakBytesPerSecond: number
}

/** Room for some 15 million packets: 12 h of picture at 60 Hz with 5 languages. */
const OUTPUT_BYTES = 1_000_000_000

/**
 * Reads through all packets of a file without decoding them: the true end of a file whose header promises more, the
 * regularity of its frames, and where its key frames stand. Bound by the disk.
 */
export async function scanPackets(
  path: string,
  isVideo: (stream: number) => boolean,
  signal: AbortSignal,
): Promise<Map<number, StreamScan>> {
  const streams = new Map<number, StreamScanner>()
  let rest = ''
  const take = (line: string): void => {
    const packet = parsePacket(line)
    if (packet === undefined) return
    let scanner = streams.get(packet.stream)
    if (scanner === undefined) {
      scanner = new StreamScanner(isVideo(packet.stream))
      streams.set(packet.stream, scanner)
    }
    scanner.add(packet)
  }
  try {
    await runProgram({
      program: 'ffprobe',
      arguments: [
        ...words`-v error -of csv=p=0`,
        ...words`-show_entries packet=stream_index,pts_time,dts_time,duration_time,size,flags`,
        ...inputOptions(path),
      ],
      signal,
      limits: { wallSeconds: 1800, memoryBytes: 4e9, outputBytes: OUTPUT_BYTES },
      onOutput(chunk) {
        const lines = (rest + chunk.toString('latin1')).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) take(line)
      },
    })
  } catch (error) {
    throw programReason(error, 'notMedia')
  }
  take(rest)
  return new Map([...streams].map(([index, scanner]) => [index, scanner.result()]))
}

interface Packet {
  stream: number
  time: number | undefined
  decodeTime: number | undefined
  duration: number
  size: number
  key: boolean
  hidden: boolean
}

/** One line of ffprobe: `0,0.083333,0.041667,0.041667,1234,K_`; a missing value is `N/A`. */
function parsePacket(line: string): Packet | undefined {
  const [stream, time, decodeTime, duration, size, flags] = line.split(',')
  if (flags === undefined) return undefined
  return {
    stream: Number(stream),
    time: number(time),
    decodeTime: number(decodeTime),
    duration: number(duration) ?? 0,
    size: number(size) ?? 0,
    key: flags.startsWith('K'),
    hidden: flags.includes('D'),
  }
}

function number(text: string | undefined): number | undefined {
  const value = Number(text)
  return text === undefined || text === '' || Number.isNaN(value) ? undefined : value
}

class StreamScanner {
  private readonly video: boolean
  private packets = 0
  private start = Infinity
  private end = -Infinity
  private bytes = 0
  private hidden = false
  private timed = true
  private continuous = true
  private readonly times: number[] = []
  private readonly keyTimes: number[] = []
  private readonly secondBytes = new Map<number, number>()

  constructor(video: boolean) {
    this.video = video
  }

  add(packet: Packet): void {
    this.packets += 1
    this.bytes += packet.size
    if (packet.time === undefined) this.timed = false
    if (packet.hidden) {
      this.hidden = true
      return
    }
    const time = packet.time ?? packet.decodeTime
    if (time === undefined) return
    if (this.end > -Infinity && !this.video && Math.abs(time - this.end) > packet.duration / 2 + 0.001) {
      this.continuous = false
    }
    this.start = Math.min(this.start, time)
    this.end = Math.max(this.end, time + packet.duration)
    if (this.video) this.addPicture(time, packet)
  }

  private addPicture(time: number, packet: Packet): void {
    this.times.push(time)
    const second = Math.floor(packet.decodeTime ?? time)
    this.secondBytes.set(second, (this.secondBytes.get(second) ?? 0) + packet.size)
    // A picture shown before its key frame but sent after it leans on the group before: that key frame is no clean cut.
    if (packet.key) this.keyTimes.push(time)
    else if (time < (this.keyTimes.at(-1) ?? -Infinity)) this.keyTimes.pop()
  }

  result(): StreamScan {
    this.times.sort((a, b) => a - b)
    return {
      packets: this.packets,
      startSeconds: this.start === Infinity ? 0 : this.start,
      endSeconds: this.end === -Infinity ? 0 : this.end,
      bytes: this.bytes,
      hidden: this.hidden,
      timed: this.timed,
      continuous: this.continuous,
      times: this.times,
      keyTimes: this.keyTimes,
      ...(this.video ? measureRate(this.times) : { framesPerSecond: 0, variable: false }),
      peakBytesPerSecond: [...this.secondBytes.values()].reduce((most, bytes) => Math.max(most, bytes), 0),
    }
  }
}
