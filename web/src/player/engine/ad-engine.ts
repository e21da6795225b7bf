import type { AdBreak } from '@ondine/contract/playback'
import { breakOnTheWay, breakSeconds, maySkip, placeInFilm, placeInManifest } from './ad-breaks.ts'
import { type Engine, NOTHING_READ, type Reading, type Stream, type StreamEngine } from './engine.ts'

/** At the end of a stream, the video may stop up to this long before the end of the last segment, in seconds. */
const END_TOLERANCE_SECONDS = 0.1

/**
 * Adds advertisements to an engine. They are parts of the stream, so the engine plays them like anything else. This engine
 * translates positions: its callers know the film only, which stands still during a break. A seek over a break that was
 * not watched plays this break first. A break that was watched does not play again. A seek during a break, such as the
 * return from another screen, takes place after the break. Without breaks, this engine changes nothing.
 */
export function withAds(engine: StreamEngine): Engine {
  let breaks: readonly AdBreak[] = []
  const watched = new Set<AdBreak>()
  let current: AdBreak | undefined
  /** Position in the film at which playback goes on after the break. */
  let after: number | undefined

  /** Returns where to go in the manifest for a position in the film: there, or to the break on the way. */
  function wayTo(position: number, from: number): number {
    const first = breakOnTheWay(breaks, watched, from, position)
    after = first && first.position < position ? position : undefined
    return first ? first.startsAt : placeInManifest(breaks, position)
  }

  /** Returns a stream that starts with the last break before its start, if there is one. */
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

  /** Notes which break plays. After a break, seeks to the position that the viewer had chosen, if any. */
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
    // The previous stream still plays, so its breaks stay valid.
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
