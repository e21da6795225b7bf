import { readSplice } from '@ondine/media/splice'
import type { Splice } from '@ondine/media/track-set'

/** Commands of splice information (ANSI/SCTE 35, table 7). */
const COMMAND = { null: 0x00, insert: 0x05, timeSignal: 0x06, bandwidth: 0x07 } as const
const TABLE = 0xfc
/** Longest section, with its header (table 5). */
const LONGEST_SECTION = 4096
/** Sections that wait for their time. */
const MOST_WAITING = 100
/** Ticks per second of the clock of MPEG-TS, and the number of ticks after which the clock starts at 0 again. */
const CLOCK = 90_000
const WRAP = 2 ** 33
/** A splice that is announced for a time further away than this belongs to another clock, in seconds. */
const FARTHEST_SECONDS = 600
/** A key frame this close to a mark is the one that the mark means, in seconds. It is less than half a frame. */
const TOLERANCE_SECONDS = 0.008

interface Announced {
  /** Time in the media, in seconds; null if it applies at once. */
  seconds: number | null
  section: Buffer
}

/** Reads the sections of SCTE 35 that an input sends, and returns them with the segment that contains their time. */
export class Splices {
  /** Time of the media at which the clock of the input stood at `startTicks`, in seconds. */
  readonly #offsetSeconds: number
  /** Where the clock of the input began, in ticks; null while that is unknown. */
  startTicks: number | null = null
  #rest: Buffer = Buffer.alloc(0)
  #waiting: Announced[] = []
  /** Announced beginnings and ends of breaks, in seconds of the media. */
  #edges: number[] = []

  constructor(offsetSeconds: number) {
    this.#offsetSeconds = offsetSeconds
  }

  /** Takes the next bytes. Sections follow one another. */
  push(chunk: Buffer): void {
    let bytes = Buffer.concat([this.#rest, chunk])
    while (bytes.length >= 3) {
      const length = 3 + (bytes.readUInt16BE(1) & 0xfff)
      // Bytes that are not a section do not show where the next section begins, so all of them are dropped.
      if (bytes[0] !== TABLE || length > LONGEST_SECTION) bytes = Buffer.alloc(0)
      else if (bytes.length < length) break
      else {
        this.#read(Buffer.from(bytes.subarray(0, length)))
        bytes = bytes.subarray(length)
      }
    }
    this.#rest = Buffer.from(bytes)
  }

  #read(section: Buffer): void {
    const time = timeOf(section)
    if (time === undefined) return
    const seconds = this.#secondsOf(time)
    this.#waiting = [...this.#waiting.slice(1 - MOST_WAITING), { seconds, section }]
    if (seconds === null) return
    const edges = readSplice(section).flatMap(({ kind, durationMs }) =>
      kind === 'cancel' ? [] : [seconds, ...(durationMs === null ? [] : [seconds + durationMs / 1000])],
    )
    this.#edges = [...this.#edges, ...edges].slice(-MOST_WAITING)
  }

  /** Returns whether a break is known to begin or end at a time of the media, in seconds. */
  isEdge(seconds: number): boolean {
    return this.#edges.some((edge) => Math.abs(edge - seconds) < TOLERANCE_SECONDS)
  }

  #secondsOf(ticks: number | null): number | null {
    if (ticks === null || this.startTicks === null) return null
    const passed = (((ticks - this.startTicks) % WRAP) + WRAP) % WRAP
    return this.#offsetSeconds + (passed < WRAP / 2 ? passed : passed - WRAP) / CLOCK
  }

  /** Returns the splices of the next segment. One that arrived late is in the first segment after it. */
  take(startSeconds: number, endSeconds: number): Splice[] {
    const taken: Splice[] = []
    const kept: Announced[] = []
    for (const each of this.#waiting) {
      const { section } = each
      const isNear = each.seconds !== null && Math.abs(each.seconds - startSeconds) < FARTHEST_SECONDS
      const seconds = isNear ? Math.max(each.seconds ?? 0, startSeconds) : startSeconds
      if (seconds < endSeconds) taken.push({ seconds, section: section.toString('base64') })
      else kept.push(each)
    }
    this.#waiting = kept
    this.#edges = this.#edges.filter((edge) => edge > startSeconds)
    return taken
  }
}

/**
 * Returns when the command of a section applies, in ticks of the clock of the input; null if at once. Undefined for
 * damaged sections, and for sections without a command (section 9).
 */
function timeOf(section: Buffer): number | null | undefined {
  if (section.length < 20 || checksum(section) !== 0) return undefined
  const isEncrypted = ((section[4] ?? 0) & 0x80) !== 0
  const adjustment = ((section[4] ?? 0) & 1) * 2 ** 32 + section.readUInt32BE(5)
  const command = isEncrypted ? undefined : section[13]
  if (command === COMMAND.null || command === COMMAND.bandwidth) return undefined
  const at = command === COMMAND.timeSignal ? 14 : command === COMMAND.insert ? insertTimeAt(section) : null
  const first = at === null ? 0 : (section[at] ?? 0)
  if (at === null || (first & 0x80) === 0 || at + 5 > section.length - 4) return null
  return ((first & 1) * 2 ** 32 + section.readUInt32BE(at + 1) + adjustment) % WRAP
}

/** Returns the offset of the time of a `splice_insert`; null if it has none. */
function insertTimeAt(section: Buffer): number | null {
  const isCancelled = ((section[18] ?? 0) & 0x80) !== 0
  const flags = section[19] ?? 0
  const [isWhole, isImmediate] = [(flags & 0x40) !== 0, (flags & 0x10) !== 0]
  return isCancelled || !isWhole || isImmediate ? null : 20
}

/**
 * Computes the checksum of a section of MPEG-TS. With its own checksum at the end, it is 0 (ISO/IEC 13818-1, annex A).
 */
export function checksum(section: Buffer): number {
  let crc = 0xffffffff
  for (const byte of section) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x80000000) === 0 ? crc << 1 : (crc << 1) ^ 0x04c11db7
  }
  return crc >>> 0
}
