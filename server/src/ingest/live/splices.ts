import { readSplice } from '@ondine/media/splice'
import type { Splice } from '@ondine/media/track-set'
import { CLOCK, unwrapped, WRAP } from './mpegts-clock.ts'

/** Types of splice commands (ANSI/SCTE 35, table 7). */
const COMMAND = { null: 0x00, insert: 0x05, timeSignal: 0x06, bandwidth: 0x07 } as const
const TABLE = 0xfc
/** Maximum length of a section with its header, in bytes (table 5). */
const LONGEST_SECTION = 4096
/** Maximum number of sections that wait for their time. */
const MOST_WAITING = 100
/**
 * Maximum distance of a splice from the current segment, in seconds. A splice further away belongs to another
 * clock.
 */
const FARTHEST_SECONDS = 600
/**
 * Maximum distance between a splice and its key frame, in seconds. Less than half a frame. ffmpeg rounds the start of the
 * input's clock to a microsecond, so a splice can seem to lie before the key frame at its time.
 */
const TOLERANCE_SECONDS = 0.008

interface Announced {
  /**
   * A time in the media at which the input's clock shows the time of the splice, in seconds. The clock wraps around, so
   * the splice may belong to a later such time. Null for a splice that applies at once.
   */
  seconds: number | null
  section: Buffer
}

/** Reads the SCTE 35 sections that an input sends, and returns each with the segment that contains its time. */
export class Splices {
  /** Media time in seconds at which the input's clock showed `startTicks`. */
  readonly #offsetSeconds: number
  /** Value of the input's clock at the beginning of the media, in ticks; null while it is unknown. */
  startTicks: number | null = null
  #rest: Buffer = Buffer.alloc(0)
  #waiting: Announced[] = []
  /** Announced beginnings and ends of breaks, in seconds of the media, as in {@link Announced}. */
  #edges: number[] = []

  constructor(offsetSeconds: number) {
    this.#offsetSeconds = offsetSeconds
  }

  /** Adds the next bytes of the stream of sections. */
  push(chunk: Buffer): void {
    let bytes = Buffer.concat([this.#rest, chunk])
    while (bytes.length >= 3) {
      const length = 3 + (bytes.readUInt16BE(1) & 0xfff)
      // Bytes that are no section do not show where the next section begins, so all received bytes are dropped.
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

  /** Returns whether an announced break begins or ends at a media time, in seconds. */
  isEdge(seconds: number): boolean {
    return this.#edges.some((edge) => Math.abs(unwrapped(edge, seconds) - seconds) < TOLERANCE_SECONDS)
  }

  #secondsOf(ticks: number | null): number | null {
    if (ticks === null || this.startTicks === null) return null
    return this.#offsetSeconds + (ticks - this.startTicks) / CLOCK
  }

  /**
   * Returns the splices of the next segment. A late splice is returned with the first segment after its arrival.
   */
  take(startSeconds: number, endSeconds: number): Splice[] {
    const taken: Splice[] = []
    const kept: Announced[] = []
    for (const each of this.#waiting) {
      const { section } = each
      const announced = each.seconds === null ? startSeconds : unwrapped(each.seconds, startSeconds)
      const isNear = Math.abs(announced - startSeconds) < FARTHEST_SECONDS
      const seconds = isNear ? Math.max(announced, startSeconds) : startSeconds
      if (seconds < endSeconds - TOLERANCE_SECONDS)
        taken.push({ seconds, section: section.toString('base64') })
      else kept.push(each)
    }
    this.#waiting = kept
    this.#edges = this.#edges.filter((edge) => unwrapped(edge, startSeconds) > startSeconds)
    return taken
  }
}

/**
 * Returns when a section's command applies, in ticks of the input's clock; null for a command that applies at
 * once. Undefined for damaged sections, and for sections without a splice (section 9).
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

/** Returns the offset of the time in a `splice_insert`; null if the command has no time. */
function insertTimeAt(section: Buffer): number | null {
  const isCancelled = ((section[18] ?? 0) & 0x80) !== 0
  const flags = section[19] ?? 0
  const [isWhole, isImmediate] = [(flags & 0x40) !== 0, (flags & 0x10) !== 0]
  return isCancelled || !isWhole || isImmediate ? null : 20
}

/**
 * Computes the checksum of an MPEG-TS section. The result for a section including its checksum is 0 (ISO/IEC
 * 13818-1, annex A).
 */
export function checksum(section: Buffer): number {
  let crc = 0xffffffff
  for (const byte of section) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x80000000) === 0 ? crc << 1 : (crc << 1) ^ 0x04c11db7
  }
  return crc >>> 0
}
