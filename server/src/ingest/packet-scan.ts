import { commandLine } from './command-line.ts'
import { measureRate } from './frame-rate.ts'
import { inputOptions } from './input-options.ts'
import { programReason, runProgram } from './run-program.ts'

/**
 * Properties of a stream, measured from its packets and not from its header. Times are in seconds on the file's
 * own clock.
 */
export interface StreamScan {
  packets: number
  /** Presentation time of the first packet that is presented. */
  startSeconds: number
  /** End of the last packet. */
  endSeconds: number
  bytes: number
  /** Whether an edit list hides some packets: a player decodes them, but does not present them. */
  hidden: boolean
  /** Whether every packet has a presentation time. */
  timed: boolean
  /**
   * Whether each packet begins where the previous packet ends, within half a packet. Checked for sound only.
   */
  continuous: boolean
  /** Video only: presentation times, ascending. */
  times: number[]
  /** Video only: presentation times of the frames at which decoding can begin. */
  keyTimes: number[]
  /** Video only: frames per second, and whether frames deviate from an even grid. */
  framesPerSecond: number
  variable: boolean
  /** Video only: the largest number of bytes in any second of the file. */
  peakBytesPerSecond: number
}

/** Limit for ffprobe's output, in bytes: some 15 million packets, or 12 h of picture at 60 Hz with 5 languages. */
const OUTPUT_BYTES = 1_000_000_000

/**
 * Reads all packets of a file without decoding them. Finds the true end of a truncated file, the regularity of its
 * frames, and the positions of its key frames. The speed of the disk is the limit.
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
        ...commandLine`-v error -of csv=p=0`,
        ...commandLine`-show_entries packet=stream_index,pts_time,dts_time,duration_time,size,flags`,
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

/** Parses a line of ffprobe: `0,0.083333,0.041667,0.041667,1234,K_`. `N/A` means a missing value. */
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
    // Drops an earlier key frame if this frame is stored after it but presented before it. This frame depends on
    // the previous group of pictures, so the video cannot be cut cleanly at that key frame.
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
