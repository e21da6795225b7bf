import { LIVE_AD_SCHEME, type LiveAd } from '@ondine/contract/playback'
import type { PlayingAd } from './engine.ts'

/** An interval of a live stream that the manifest announces as an event, in the form of Shaka. */
export interface Region {
  schemeIdUri: string
  /** Start in seconds of the presentation. */
  startTime: number
  /**
   * End in seconds of the presentation. If the channel's own media resumes early, this is before the end of the
   * advertisement.
   */
  endTime: number
  eventNode: { attributes: Readonly<Record<string, string>> } | null
}

/** Parsed advertisements by their event in the manifest, so that the same event always gives the same object. */
const known = new WeakMap<object, LiveAd>()

/**
 * Returns the advertisement at a position of a live stream. The manifest announces each advertisement that replaces
 * the channel's own media.
 *
 * @param regions in any order, possibly with duplicates. If the channel's own media resumes before the end of an
 * advertisement, newer regions of this advertisement end earlier.
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
    // The message needs no validation, because the service has written it.
    const bytes = Uint8Array.from(atob(announcement.attributes['messageData'] ?? ''), (letter) =>
      letter.charCodeAt(0),
    )
    ad = JSON.parse(new TextDecoder().decode(bytes)) as LiveAd
    known.set(announcement, ad)
  }
  return ad
}
