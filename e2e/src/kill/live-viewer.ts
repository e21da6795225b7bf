import { setTimeout as delay } from 'node:timers/promises'

/** A segment as a playlist lists it. */
export interface ListedSegment {
  number: number
  address: string
  /** Number of discontinuities from the beginning of the channel up to the segment. */
  discontinuity: number
  startsAt: number
  endsAt: number
  /** Time when the viewer first saw the segment, in milliseconds since the Unix epoch. */
  seenAt: number
  /** Decode time of the segment's video, in milliseconds by the clock of the source. */
  decodeMs: number
}

/** Ticks of the video's timescale in a millisecond. */
const TICKS = 90

/** Interval at which a player requests a playlist, in milliseconds. */
const ASK_MS = 200

/**
 * A viewer of a live channel who keeps one playback session and polls one playlist, as a player does. Fails when a
 * segment changes its number, or when the viewer cannot fetch it.
 */
export class LiveViewer {
  readonly #address: string
  readonly #segments = new Map<number, ListedSegment>()
  readonly #watching: Promise<void>
  readonly #closing = new AbortController()
  #newest = -1
  #isAway = false

  /** @param address address of a media playlist */
  constructor(address: string) {
    this.#address = address
    this.#watching = this.#watch()
    // Avoids an unhandled rejection. `sees` and `close` await this promise, and throw its error.
    this.#watching.catch(() => undefined)
  }

  /** All segments that the playlist has listed so far, in order. */
  get segments(): ListedSegment[] {
    return [...this.#segments.values()].toSorted((a, b) => a.number - b.number)
  }

  /** Set this while the web role is switched off, so that failed requests do not fail the test. */
  set isAway(isAway: boolean) {
    this.#isAway = isAway
  }

  /** Waits until a condition on the segments holds. @returns the first segment for which it holds */
  async sees(condition: (segment: ListedSegment) => boolean, withinMs: number): Promise<ListedSegment> {
    const end = performance.now() + withinMs
    for (;;) {
      const found = this.segments.find(condition)
      if (found) return found
      if (performance.now() > end) throw new Error(`No such segment came within ${withinMs} ms.`)
      await Promise.race([this.#watching, delay(ASK_MS / 4)])
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#watching
  }

  async #watch(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.#look()
      } catch (error) {
        // While the web role is switched off, ignores the failure, and requests the playlist again, as a player does.
        if (!this.#isAway) throw error
      }
      await delay(ASK_MS)
    }
  }

  async #look(): Promise<void> {
    const response = await fetch(this.#address)
    if (!response.ok) throw new Error(`The playlist is answered with ${response.status}.`)
    const listed = readPlaylist(await response.text(), this.#address)
    const newest = listed.at(-1)?.number ?? -1
    if (newest < this.#newest)
      throw new Error(`The playlist ended with ${this.#newest}, and now with ${newest}.`)
    this.#newest = newest
    for (const segment of listed) await this.#see(segment)
  }

  async #see(segment: ListedSegment): Promise<void> {
    const known = this.#segments.get(segment.number)
    if (known) {
      for (const field of ['address', 'discontinuity', 'startsAt'] as const)
        if (known[field] !== segment[field])
          throw new Error(
            `Segment ${segment.number} had the ${field} ${known[field]}, now ${segment[field]}.`,
          )
      return
    }
    const media = await fetch(segment.address)
    const bytes = Buffer.from(await media.arrayBuffer())
    const at = bytes.indexOf('tfdt')
    if (!media.ok || at < 0)
      throw new Error(`${segment.address} is answered with ${media.status} and ${bytes.length} bytes.`)
    const decodeMs = Number(bytes.readBigUInt64BE(at + 8)) / TICKS
    this.#segments.set(segment.number, { ...segment, decodeMs })
  }
}

/** Reads a playlist of media (RFC 8216). */
function readPlaylist(text: string, address: string): ListedSegment[] {
  const segments: ListedSegment[] = []
  let number = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1])
  let discontinuity = Number(/#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)/.exec(text)?.[1] ?? 0)
  let startsAt = Number.NaN
  let durationMs = 0
  for (const line of text.split('\n')) {
    const [, date] = /^#EXT-X-PROGRAM-DATE-TIME:(.+)/.exec(line) ?? []
    const [, seconds] = /^#EXTINF:([\d.]+)/.exec(line) ?? []
    if (date !== undefined) startsAt = Date.parse(date)
    if (seconds !== undefined) durationMs = Number(seconds) * 1000
    // EXT-X-DISCONTINUITY-SEQUENCE already counts a discontinuity before the first segment of the playlist.
    if (line === '#EXT-X-DISCONTINUITY' && segments.length > 0) discontinuity++
    if (line === '' || line.startsWith('#')) continue
    const endsAt = startsAt + durationMs
    const { href } = new URL(line, address)
    segments.push({ number, address: href, discontinuity, startsAt, endsAt, seenAt: Date.now(), decodeMs: 0 })
    number++
    startsAt = endsAt
  }
  return segments
}
