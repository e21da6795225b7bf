import { highestWithin } from '@ondine/media/layout'
import type { Relayed } from './relays.service.ts'

/** Tags of a multivariant playlist that describe video, with the height in lines (RFC 8216bis, 4.4.6). */
const VIDEO_TAG = /^#EXT-X-(?:STREAM|I-FRAME-STREAM)-INF:.*\bRESOLUTION=\d+x(\d+)/

/**
 * Returns a relayed manifest without the video above a height, in lines. If all video is higher, the lowest remains.
 * Video without a declared height remains too.
 */
export async function withinRelayHeight(
  relayed: Relayed,
  maximumHeight: number | undefined,
): Promise<Relayed> {
  if (relayed.kind !== 'manifest' || maximumHeight === undefined) return relayed
  const { format, body } = relayed
  return {
    ...relayed,
    body: format === 'hls' ? lowerHls(body, maximumHeight) : await lowerDash(body, maximumHeight),
  }
}

function lowerHls(body: string, maximumHeight: number): string {
  const lines = body.split('\n')
  const variants = lines.filter((line) => line.startsWith('#EXT-X-STREAM-INF:'))
  const heights = variants.flatMap((line) => heightOf(line) ?? [])
  if (heights.length === 0) return body
  const highest = highestWithin(
    heights.map((height) => ({ height })),
    maximumHeight,
  )
  let isDropped = false
  return lines
    .filter((line) => {
      if (!line.startsWith('#')) {
        // The address of a variant follows its tag.
        const isKept = !isDropped
        if (line !== '') isDropped = false
        return isKept
      }
      const isTooHigh = (heightOf(line) ?? 0) > highest
      if (line.startsWith('#EXT-X-STREAM-INF:')) isDropped = isTooHigh
      return !isTooHigh
    })
    .join('\n')
}

function heightOf(line: string): number | undefined {
  const [, height] = VIDEO_TAG.exec(line) ?? []
  return height === undefined ? undefined : Number(height)
}

async function lowerDash(body: string, maximumHeight: number): Promise<string> {
  // Few installations limit the height of relayed DASH channels.
  const { DOMParser, XMLSerializer } = await import('@xmldom/xmldom')
  const document = new DOMParser().parseFromString(body, 'text/xml')
  for (const period of Array.from(document.getElementsByTagName('Period'))) {
    const found = Array.from(period.getElementsByTagName('Representation')).flatMap((element) => {
      const set = element.parentNode as Element
      const height = Number(inherited(element, set, 'height'))
      return height > 0 && isVideo(element, set) ? [{ element, set, height }] : []
    })
    const videos = found.filter(({ set }) => !isTrickMode(set))
    if (videos.length === 0) continue
    const highest = highestWithin(videos, maximumHeight)
    for (const { element, set, height } of found) {
      if (height <= highest) continue
      set.removeChild(element)
      // An AdaptationSet without a Representation is invalid.
      if (set.getElementsByTagName('Representation').length === 0) period.removeChild(set)
    }
  }
  return new XMLSerializer().serializeToString(document)
}

/** Returns an attribute of a Representation, or else of its AdaptationSet (ISO/IEC 23009-1, 5.3.7). Empty without one. */
function inherited(element: Element, set: Element, name: string): string {
  return (element.hasAttribute(name) ? element : set).getAttribute(name) ?? ''
}

/** Returns whether a Representation with a height is video, and no tiles of thumbnails. */
function isVideo(element: Element, set: Element): boolean {
  return (
    !inherited(element, set, 'mimeType').startsWith('image/') && set.getAttribute('contentType') !== 'image'
  )
}

/** Returns whether an AdaptationSet is for fast winding only (DASH-IF IOP, 3.2.9). */
function isTrickMode(set: Element): boolean {
  return Array.from(set.getElementsByTagName('EssentialProperty')).some((property) =>
    property.getAttribute('schemeIdUri')?.endsWith('/trickmode'),
  )
}
