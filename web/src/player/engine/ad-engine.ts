import type { AdBreak } from '@ondine/contract/playback'
import { breakOnTheWay, breakSeconds, maySkip, placeInFilm, placeInManifest } from './ad-breaks.ts'
import { type Engine, NOTHING_READ, type Reading, type Stream, type StreamEngine } from './engine.ts'

/** At the end of a stream, the video can stop this long before the end of the last segment, in seconds. */
const END_TOLERANCE_SECONDS = 0.1

/**
 * Adds advertisements to an engine. Advertisements are parts of the stream, so the engine plays them like the film.
 * This wrapper translates positions: its callers use positions in the film, which do not advance during a break. A
 * seek forward over breaks first plays the last of them, unless it was watched. A watched break does not play again.
 * A seek during a break, such as when playback comes back from another screen, takes effect after the break. For a
 * stream without breaks, the wrapper changes nothing.
 */
export function withAds(engine: StreamEngine): Engine {
  let breaks: readonly AdBreak[] = []
  const watched = new Set<AdBreak>()
  let current: AdBreak | undefined
  /** Position in the film at which playback continues after the current break. */
  let after: number | undefined

  /**
   * Returns the target in the manifest for a seek in the film. If the last break that the seek passes is unwatched,
   * the target is the start of this break, and otherwise it is `position`.
   */
  function wayTo(position: number, from: number): number {
    const first = breakOnTheWay(breaks, watched, from, position)
    after = first && first.position < position ? position : undefined
    return first ? first.startsAt : placeInManifest(breaks, position)
  }

  /**
   * Returns a stream that starts with the last break before the stream's start. Without such a break, the start
   * does not change.
   */
  function withStart({ startAt, ...stream }: Stream): Stream {
    const first = startAt === null ? undefined : breakOnTheWay(stream.breaks ?? [], new Set(), 0, startAt)
    if (first) return { ...stream, startAt: first.startsAt === 0 ? null : first.startsAt }
    return { ...stream, startAt }
  }

  function begin({ startAt, breaks: named = [] }: Stream): void {
    breaks = named
    watched.clear()
    current = undefined
    after = undefined
    if (startAt !== null) wayTo(startAt, 0)
  }

  /**
   * Stores the current break. At the end of a break, seeks to the position that the viewer requested before, if
   * any.
   */
  function follow(playing: AdBreak | undefined): void {
    if (current === playing) return
    if (current) watched.add(current)
    current = playing
    if (playing || after === undefined) return
    engine.seek(placeInManifest(breaks, after))
    after = undefined
  }

  function read(): Reading {
    const reading = engine.read()
    if (breaks.length === 0 || reading === NOTHING_READ) return reading
    const { position, inside } = placeInFilm(breaks, reading.position)
    const isOver = reading.position > reading.range.end - END_TOLERANCE_SECONDS
    const isAgain = inside !== undefined && watched.has(inside.adBreak)
    if (isAgain && !isOver) engine.seek(placeInManifest(breaks, position))
    const playing = isOver || isAgain ? undefined : inside
    const wanted = after
    follow(playing?.adBreak)
    const inFilm = (place: number) => placeInFilm(breaks, place).position
    const adSeconds = breaks.reduce((sum, adBreak) => sum + breakSeconds(adBreak), 0)
    return {
      ...reading,
      position: wanted ?? position,
      duration: Math.max(0, reading.duration - adSeconds),
      bufferedUntil: inFilm(reading.bufferedUntil),
      range: { start: inFilm(reading.range.start), end: inFilm(reading.range.end) },
      edge: inFilm(reading.edge),
      ad: playing?.playing,
    }
  }

  return {
    ...engine,
    // The previous stream is still playing and needs its breaks, so `prepare` does not change them.
    prepare: (stream) => engine.prepare(withStart(stream)),
    load: async (stream) => {
      begin(stream)
      await engine.load(withStart(stream))
    },
    read,
    seek: (position) => {
      if (breaks.length === 0) {
        engine.seek(position)
        return
      }
      const { ad, position: from } = read()
      if (ad) after = position
      else engine.seek(wayTo(position, from))
    },
    skipAd: () => {
      const { ad } = read()
      if (!ad || !maySkip(ad)) return
      engine.seek(engine.read().position + ad.ad.duration - ad.position)
    },
    thumbnail: async (position) => await engine.thumbnail(placeInManifest(breaks, position)),
  }
}
