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
  const breaks = dropped.flatMap(({ lines }) => lines).filter((line) => line === DISCONTINUITY)
  return [
    ...counted(head, dropped.length, breaks.length),
    ...lastingAfter(dropped),
    ...dateAfter(dropped, segments[first]),
    ...linesWithOffset(dropped, segments[first]),
    ...segments.slice(first + 1).flatMap(({ lines }) => lines),
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

const DATE = '#EXT-X-PROGRAM-DATE-TIME:'
const RANGE = '#EXT-X-BYTERANGE:'
const DISCONTINUITY = '#EXT-X-DISCONTINUITY'

/**
 * Returns the date of the first kept segment, computed from the last date of the removed segments. Empty if the segment
 * has its own date, or if a discontinuity after the last date makes the date unknown.
 */
function dateAfter(dropped: readonly Segment[], next: Segment | undefined): string[] {
  if (next === undefined || hasTag(next, DATE) || next.lines.includes(DISCONTINUITY)) return []
  const from = dropped.findLastIndex((segment) => hasTag(segment, DATE))
  const since = dropped.slice(Math.max(from, 0))
  if (from === -1 || since.slice(1).some(({ lines }) => lines.includes(DISCONTINUITY))) return []
  const begin = Date.parse(valueOf(since[0], DATE) ?? '')
  const seconds = since.reduce((sum, segment) => sum + segment.seconds, 0)
  const date = new Date(begin + Math.round(seconds * 1000))
  return Number.isNaN(date.getTime()) ? [] : [DATE + date.toISOString()]
}

/**
 * Returns the lines of the first kept segment. A byte range without an offset begins at the end of the previous range,
 * so it gets its offset from the removed segments (RFC 8216bis, 4.4.4.2).
 */
function linesWithOffset(dropped: readonly Segment[], next: Segment | undefined): string[] {
  if (next === undefined) return []
  const range = valueOf(next, RANGE)
  if (range === undefined || range.includes('@')) return next.lines
  let end: number | undefined
  for (const segment of dropped) {
    const [length = Number.NaN, offset = end] = valueOf(segment, RANGE)?.split('@').map(Number) ?? []
    end = offset === undefined ? undefined : offset + length
  }
  if (end === undefined || Number.isNaN(end)) return next.lines
  return next.lines.map((line) => (line.startsWith(RANGE) ? `${RANGE}${range}@${end}` : line))
}

function hasTag({ lines }: Segment, tag: string): boolean {
  return lines.some((line) => line.startsWith(tag))
}

function valueOf(segment: Segment | undefined, tag: string): string | undefined {
  return segment?.lines
    .find((line) => line.startsWith(tag))
    ?.slice(tag.length)
    .trim()
}
