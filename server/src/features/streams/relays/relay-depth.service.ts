import { shortenDash } from './relay-dash-depth.ts'
import type { Relayed } from './relays.service.ts'

/**
 * Tags that apply to all later segments of a playlist, until another tag of the same kind (RFC 8216bis, 4.4.4).
 */
const LASTING = /^#(?:EXT-X-KEY|EXT-X-MAP|EXT-X-BITRATE)\b/
/** Tags that belong to the next segment of a playlist, in addition to {@link LASTING}. */
const OF_SEGMENT =
  /^#(?:EXTINF|EXT-X-(?:DISCONTINUITY(?!-SEQUENCE)|GAP|BYTERANGE|PROGRAM-DATE-TIME|PART:|TILES))/

/**
 * Returns a relayed manifest without the listed media that is more than `seconds` older than its live edge.
 *
 * @param now milliseconds since the Unix epoch
 */
export async function withinDepth(relayed: Relayed, seconds: number, now: number): Promise<Relayed> {
  if (relayed.kind !== 'manifest' || !Number.isFinite(seconds)) return relayed
  const { format, body } = relayed
  const shortened = format === 'hls' ? shortenHls(body, seconds) : await shortenDash(body, seconds, now)
  return { ...relayed, body: shortened }
}

/**
 * Returns the address of a relayed file, without the request for a delta update (RFC 8216bis, 6.2.5.1). A delta update
 * does not list the segments that it skips, so {@link withinDepth} could not count them.
 */
export function asWholePlaylist(address: string, seconds: number): string {
  if (!Number.isFinite(seconds)) return address
  const [path = '', ...queries] = address.split('?')
  const rest = queries
    .join('?')
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('_HLS_skip='))
  return rest.length === 0 ? path : `${path}?${rest.join('&')}`
}

/** A segment of a playlist. `lasting` contains the lines with tags that also apply to later segments. */
interface Segment {
  lines: string[]
  lasting: string[]
  seconds: number
}

function shortenHls(body: string, seconds: number): string {
  // A multivariant playlist lists no media.
  if (!body.includes('#EXTINF:')) return body
  const { head, segments, tail } = readPlaylist(body.split('\n'))
  let first = segments.length
  for (let kept = 0; first > 0 && kept < seconds; first--) kept += segments[first - 1]?.seconds ?? 0
  const dropped = segments.slice(0, first)
  const breaks = dropped.flatMap(({ lines }) => lines).filter((line) => line === '#EXT-X-DISCONTINUITY')
  return [
    ...counted(head, dropped.length, breaks.length),
    ...lastingAfter(dropped),
    ...segments.slice(first).flatMap(({ lines }) => lines),
    ...tail,
  ].join('\n')
}

function readPlaylist(lines: readonly string[]): { head: string[]; segments: Segment[]; tail: string[] } {
  const head: string[] = []
  const segments: Segment[] = []
  let open: string[] = []
  for (const line of lines) {
    const isAddress = line !== '' && !line.startsWith('#')
    if (segments.length === 0 && !isAddress && !isSegmentTag(line)) head.push(line)
    else open.push(line)
    if (!isAddress) continue
    const length = open.find((each) => each.startsWith('#EXTINF:'))?.slice('#EXTINF:'.length)
    segments.push({
      lines: open,
      lasting: open.filter((each) => LASTING.test(each)),
      seconds: Number.parseFloat(length ?? '0'),
    })
    open = []
  }
  return { head, segments, tail: open }
}

function isSegmentTag(line: string): boolean {
  return LASTING.test(line) || OF_SEGMENT.test(line)
}

/**
 * Returns the head of a playlist with updated sequence numbers, after `segments` segments and `breaks`
 * discontinuities were removed.
 */
function counted(head: readonly string[], segments: number, breaks: number): string[] {
  const tags = [
    ['#EXT-X-MEDIA-SEQUENCE:', segments],
    ['#EXT-X-DISCONTINUITY-SEQUENCE:', breaks],
  ] as const
  const rest = head
    .filter((line) => !tags.some(([tag]) => line.startsWith(tag)))
    .flatMap((line) => withoutSkips(line) ?? [])
  const counts = tags.map(([tag, dropped]) => {
    const before = head.find((line) => line.startsWith(tag))?.slice(tag.length) ?? '0'
    return `${tag}${Number.parseInt(before, 10) + dropped}`
  })
  return [...rest, ...counts]
}

const SERVER_CONTROL = '#EXT-X-SERVER-CONTROL:'

/** Removes the offer of delta updates from a tag. Undefined if no attribute remains. */
function withoutSkips(line: string): string | undefined {
  if (!line.startsWith(SERVER_CONTROL)) return line
  const kept = line
    .slice(SERVER_CONTROL.length)
    .split(',')
    .filter((attribute) => !attribute.startsWith('CAN-SKIP-'))
  return kept.length === 0 ? undefined : `${SERVER_CONTROL}${kept.join(',')}`
}

/** Returns the tags of removed segments that still apply to the remaining segments. */
function lastingAfter(dropped: readonly Segment[]): string[] {
  const last = dropped.findLast(({ lasting }) => lasting.some((line) => line.startsWith('#EXT-X-KEY')))
  const map = dropped.flatMap(({ lasting }) => lasting).findLast((line) => line.startsWith('#EXT-X-MAP'))
  // A segment may have several keys, one for each DRM system.
  const keys = last?.lasting.filter((line) => line.startsWith('#EXT-X-KEY')) ?? []
  return map === undefined ? keys : [...keys, map]
}
