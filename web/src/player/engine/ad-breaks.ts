import type { AdBreak } from '@ondine/contract/playback'
import type { PlayingAd } from './engine.ts'

/** A position of the manifest, converted to the film without its advertisements. */
export interface PlaceInFilm {
  /** Position in the film, in seconds. It does not change during a break. */
  position: number
  /** The break at the position of the manifest, and its current advertisement; omitted outside of breaks. */
  inside?: { adBreak: AdBreak; playing: PlayingAd }
}

/** Returns the duration of a break, in seconds. */
export function breakSeconds({ ads }: AdBreak): number {
  return ads.reduce((sum, { duration }) => sum + duration, 0)
}

/** Returns whether the viewer may skip an advertisement now (V4-32). */
export function maySkip({ ad: { skipAfter }, position }: PlayingAd): boolean {
  return skipAfter !== null && position >= skipAfter
}

/** Converts a position in the manifest, in seconds, to a place in the film. */
export function placeInFilm(breaks: readonly AdBreak[], manifestPosition: number): PlaceInFilm {
  let passed = 0
  for (const adBreak of breaks) {
    const into = manifestPosition - adBreak.startsAt
    if (into < 0) break
    const playing = playingAd(adBreak, into)
    if (playing) return { position: adBreak.position, inside: { adBreak, playing } }
    passed += breakSeconds(adBreak)
  }
  return { position: manifestPosition - passed }
}

/** Converts a position in the film to a position in the manifest, after any break at that position. */
export function placeInManifest(breaks: readonly AdBreak[], position: number): number {
  return breaks.reduce(
    (place, adBreak) => (adBreak.position <= position ? place + breakSeconds(adBreak) : place),
    position,
  )
}

/**
 * Returns the last break between two positions in the film; undefined if it was watched, or if `to` is before
 * `from`.
 */
export function breakOnTheWay(
  breaks: readonly AdBreak[],
  watched: ReadonlySet<AdBreak>,
  from: number,
  to: number,
): AdBreak | undefined {
  const last = breaks.findLast(({ position }) => position >= from && position <= to)
  return last && !watched.has(last) ? last : undefined
}

function playingAd({ ads }: AdBreak, into: number): PlayingAd | undefined {
  let startsAt = 0
  for (const [index, ad] of ads.entries()) {
    if (into < startsAt + ad.duration)
      return { ad, number: index + 1, count: ads.length, position: into - startsAt }
    startsAt += ad.duration
  }
  return undefined
}
