import { JUMP_SECONDS } from './cutter.ts'

/** Longest line of the list. A longer one is none of its lines, and is dropped. */
const LONGEST_LINE = 4096

/** The line with the time base of the list: seconds of one tick. */
const TIME_BASE = /^#tb 0: (\d+)\/(\d+)$/
/** A packet: stream, decode time, presentation time, duration and size. The rest of the line does not matter here. */
const PACKET = /^0, *(-?\d+), *-?\d+, *(\d+), *(\d+),/

interface Packet {
  decodeTicks: number
  durationTicks: number
}

/**
 * Reads ffmpeg's list of the packets of a picture (`-f framecrc`). An encoded picture has all frames that it should have,
 * because a filter repeats frames where the source lost some. Only the packets of the source show what was lost.
 */
export class PacketList {
  /** Number of frames that are missing between the packets. */
  lostFrames = 0
  /** Jumps of the source's clock. */
  jumps = 0
  /** Size of all packets, in bytes. */
  bytes = 0
  #rest = ''
  /** Seconds of one tick; ffmpeg uses this time base for MPEG-TS. */
  #tickSeconds = 1 / 90_000
  #last: Packet | undefined

  /** Adds the next bytes of the list. */
  push(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString('latin1')).split('\n')
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > LONGEST_LINE) this.#rest = ''
    for (const line of lines) this.#read(line)
  }

  #read(line: string): void {
    const [, numerator, denominator] = TIME_BASE.exec(line) ?? []
    if (numerator !== undefined) this.#tickSeconds = Number(numerator) / Number(denominator)
    const [, decode, duration, size] = PACKET.exec(line) ?? []
    if (decode === undefined) return
    this.bytes += Number(size)
    const packet = { decodeTicks: Number(decode), durationTicks: Number(duration) }
    if (this.#last) this.#compare(this.#last, packet)
    this.#last = packet
  }

  /** Counts what is missing between two packets. A frame that repeats a field lasts longer than others. */
  #compare(last: Packet, next: Packet): void {
    const passed = next.decodeTicks - last.decodeTicks
    if (passed <= 0 || passed * this.#tickSeconds > JUMP_SECONDS) this.jumps++
    else if (last.durationTicks > 0)
      this.lostFrames += Math.max(0, Math.round((passed - last.durationTicks) / last.durationTicks))
  }
}
