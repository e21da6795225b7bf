import { LIVE_AD_SCHEME, type LiveAd } from '@ondine/contract/playback'
import type { PlayingAd } from './engine.ts'

/** A part of a live stream that its manifest announces, as Shaka reads it. */
export interface Region {
  schemeIdUri: string
  /** Beginning in the presentation, in seconds. */
  startTime: number
  /** End in the presentation, in seconds. It is earlier than the advertisement's if the channel returns early. */
  endTime: number
  eventNode: { attributes: Readonly<Record<string, string>> } | null
}

/** Advertisements by the announcement that names them, so that each keeps its identity. */
const known = new WeakMap<object, LiveAd>()

/**
 * Returns the advertisement at a position of a live stream. The manifest announces it; it has replaced what the channel
 * broadcast at that time.
 *
 * @param regions in any order, perhaps several times the same. If the channel returns before the end of an
 * advertisement, its later regions end earlier.
 */
export function liveAdAt(regions: readonly Region[], position: number): PlayingAd | undefined {
  let found: PlayingAd | undefined
  const ended = new Set<string>()
  for (const { schemeIdUri, startTime, endTime, eventNode } of regions) {
    const into = position - startTime
    if (schemeIdUri !== LIVE_AD_SCHEME || into < 0 || !eventNode) continue
    const ad = adOf(eventNode)
    if (into >= ad.duration || position >= endTime) ended.add(ad.report)
    else found ??= { ad, number: ad.number, count: ad.count, position: into }
  }
  return found && !ended.has(found.ad.report) ? found : undefined
}

function adOf(announcement: NonNullable<Region['eventNode']>): LiveAd {
  let ad = known.get(announcement)
  if (!ad) {
    // The service wrote the message.
    const bytes = Uint8Array.from(atob(announcement.attributes['messageData'] ?? ''), (letter) =>
      letter.charCodeAt(0),
    )
    ad = JSON.parse(new TextDecoder().decode(bytes)) as LiveAd
    known.set(announcement, ad)
  }
  return ad
}
