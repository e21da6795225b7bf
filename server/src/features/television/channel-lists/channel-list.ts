import { plainName } from '../../../outbound/plain-name.ts'
import type { CatchUp, CatchUpMode, StreamSource } from '../../inventory/line-up/stream-source.ts'
import type { Remark } from '../guide-import/remark.ts'

/** A channel as the list describes it. */
export interface ListedChannel {
  /** Line number of the channel's address in the list. */
  line: number
  kind: 'relay' | 'live'
  name: string
  /** The id of the channel in guides (`tvg-id`); null if the list has none. */
  guideId: string | null
  number: number | null
  groups: string[]
  logo: string | null
  radio: boolean
  adult: boolean
  source: StreamSource
}

export interface ParsedList {
  channels: ListedChannel[]
  /** Rejected lines, with the reasons. */
  refused: Remark[]
  /** Corrected lines, with the corrections. */
  mended: Remark[]
  /** Addresses of the guides that the list names, in order. */
  guides: string[]
}

/** Thrown for a file that is not a channel list. */
export class ChannelListError extends Error {
  override name = 'ChannelListError'
}

const RELAY_SCHEMES = new Set(['http:', 'https:'])
const LIVE_SCHEMES = new Set(['udp:', 'rtp:', 'rtsp:', 'srt:', 'rtmp:', 'rtmps:'])
const LONGEST_LINE = 20_000
const MOST_CHANNELS = 50_000
const LONGEST_NAME = 100
const LONGEST_HEADER = 500
const MOST_SHIFT_MINUTES = 24 * 60

/** Content of the `#EXTINF:` that precedes an address. */
interface Information {
  line: number
  name: string
  attributes: Map<string, string>
}

/** The information in the list about one address. */
interface Surroundings {
  /** Content of the `#EXTINF:` that precedes the address; undefined if there is none. */
  information: Information | undefined
  /** Properties from `#EXTVLCOPT:` and `#KODIPROP:`. */
  properties: ReadonlyMap<string, string>
  /** Attributes of `#EXTM3U`, which apply to all channels. */
  general: ReadonlyMap<string, string>
  /** Group from the last `#EXTGRP:` before an `#EXTINF:`. */
  group: string
  /** Address of the list. It is the base for relative addresses. */
  base: string | undefined
}

/**
 * HLS tags that some players write into channel lists. Any other `#EXT-X-` tag shows that the file is an HLS
 * playlist.
 */
const PASSED_OVER = /^#EXT-X-(?:SESSION-DATA|PLAYLIST-TYPE|ENDLIST)\b/i

/**
 * Parses a channel list (M3U with the attributes of IPTV lists). Returns its channels, and the rejected lines with
 * the reasons.
 *
 * @param base address of the list, if it has one.
 * @throws ChannelListError for a file that is not a channel list, such as an HLS playlist.
 */
export function parseChannelList(text: string, base?: string): ParsedList {
  const result: ParsedList = { channels: [], refused: [], mended: [], guides: [] }
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  if (text.includes('\0')) throw new ChannelListError('This is not text, so it is not a list of channels.')
  let general = new Map<string, string>()
  let information: Information | undefined
  let properties = new Map<string, string>()
  let group = ''
  let begun = false
  const forget = (): void => {
    information = undefined
    properties = new Map()
  }
  for (const [index, raw] of lines.entries()) {
    const line = index + 1
    const written = withoutInlinePictures(raw.trim())
    if (written !== raw.trim())
      result.mended.push({ line, reason: 'The logo is left out: it makes the line too long.' })
    if (written === '' || PASSED_OVER.test(written)) continue
    if (written.length > LONGEST_LINE) {
      result.refused.push({ line, reason: `The line has more than ${LONGEST_LINE} characters.` })
      forget()
    } else if (/^#EXT-X-/i.test(written)) {
      throw new ChannelListError('This is the manifest of one stream (HLS), not a list of channels.')
    } else if (/^#EXTM3U\b/i.test(written)) {
      general = readAttributes(written.slice(7)).attributes
      for (const key of ['x-tvg-url', 'url-tvg', 'tvg-url'])
        result.guides.push(
          ...(general
            .get(key)
            ?.split(/[\s,]+/)
            .filter((each) => each !== '') ?? []),
        )
    } else if (/^#EXTINF:/i.test(written)) {
      if (information) result.refused.push({ line: information.line, reason: 'No address follows.' })
      information = readInformation(written.slice(8), line, result.mended)
    } else if (/^#EXTGRP:/i.test(written)) {
      // Before `#EXTINF:`, `#EXTGRP:` sets the group of all following channels. After `#EXTINF:`, it applies only
      // to this channel.
      const named = written.slice(8).trim()
      if (information) information.attributes.set('group', named)
      else group = named
    } else if (/^#(EXTVLCOPT|KODIPROP):/i.test(written)) {
      const [key = '', ...value] = written.slice(written.indexOf(':') + 1).split('=')
      properties.set(key.trim().toLowerCase(), value.join('=').trim())
    } else if (!written.startsWith('#')) {
      if (!begun && index === firstWritten(lines) && !/^[a-z][a-z0-9+.-]*:/i.test(written))
        throw new ChannelListError('This is not a list of channels (M3U).')
      const made = channelOf(written, line, { information, properties, general, group, base }, result.mended)
      if (typeof made === 'string') result.refused.push({ line, reason: made })
      else if (result.channels.length >= MOST_CHANNELS)
        throw new ChannelListError(`The list has more than ${MOST_CHANNELS} channels.`)
      else result.channels.push(made)
      forget()
    }
    begun = true
  }
  remarkOnTransportStreams(result)
  if (information && information.name !== '')
    result.refused.push({ line: information.line, reason: 'No address follows.' })
  if (!/^\s*#EXTM3U\b/i.test(lines.find((each) => each.trim() !== '') ?? '')) {
    if (result.channels.length === 0 && result.refused.length === 0)
      throw new ChannelListError('This is not a list of channels (M3U).')
    result.mended.push({ line: 1, reason: 'The list does not begin with #EXTM3U; it was read nevertheless.' })
  }
  return result
}

/** Maximum number of channels that a remark names. */
const MOST_NAMED = 3

/** Adds one remark for all relays of MPEG-TS, because whole lists consist of them. */
function remarkOnTransportStreams({ channels, mended }: ParsedList): void {
  const found = channels.filter(({ kind, source }) => kind === 'relay' && looksLikeTransportStream(source))
  const [first] = found
  if (first === undefined) return
  const names = found.slice(0, MOST_NAMED).map(({ name }) => name)
  const more = found.length - names.length
  mended.push({
    line: first.line,
    reason: `These seem to send MPEG-TS, which cannot be relayed: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}. \`inputs add <channel> --record\` receives one.`,
  })
}

/**
 * Removes inline pictures from a long line. They are never fetched, and can be longer than the rest of the list.
 */
function withoutInlinePictures(written: string): string {
  return written.length > LONGEST_LINE && /^#EXTINF:/i.test(written)
    ? written.replaceAll(/(["'])data:[^"']*\1/gi, '""')
    : written
}

function firstWritten(lines: readonly string[]): number {
  return lines.findIndex((each) => each.trim() !== '')
}

/** Parses `#EXTINF:`: the duration, the attributes with any quotation marks, and the name after the comma. */
function readInformation(text: string, line: number, mended: Remark[]): Information {
  const afterDuration = text.replace(/^\s*[-+]?[\d.]*/, '')
  const { attributes, rest, unclosed } = readAttributes(afterDuration)
  if (unclosed)
    mended.push({ line, reason: 'A quotation mark is never closed; the value was taken up to the comma.' })
  return { line, name: plainName(rest.replace(/^\s*,/, ''), LONGEST_NAME), attributes }
}

// Each of these expressions runs in linear time. A malicious line could exploit a slower expression.
const BETWEEN = /[\s;]*/y
const KEY = /([^\s=,;"']+)\s*=(?:\s*(?=["']))?/y
const WORD = /[^\s,]+/y
const NEXT_KEY = /\s[^\s=,;"']+\s*=/
const AFTER_VALUE = /[\s;]*(?:$|,|[^\s=,;"']+\s*=)/y
const ATTRIBUTE_AFTER_COMMA = /,\s*[\w-]+=["']/y

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/**
 * Parses attributes as `key="value"`, `key='value'` or `key=value`. A value without quotation marks ends at the
 * next key, at the comma or at the end of the line. Skips words between attributes. Returns the attributes, and
 * the text after them.
 */
function readAttributes(text: string): { attributes: Map<string, string>; rest: string; unclosed: boolean } {
  const attributes = new Map<string, string>()
  const lastComma = text.lastIndexOf(',')
  const last = Math.max(lastComma, text.lastIndexOf('="'), text.lastIndexOf("='"))
  let at = 0
  let unclosed = false
  for (;;) {
    at += matchAt(BETWEEN, text, at)?.[0].length ?? 0
    const key = matchAt(KEY, text, at)
    if (!key) {
      const word = matchAt(WORD, text, at)
      if (word && at < last) at += word[0].length
      else if (at < lastComma && matchAt(ATTRIBUTE_AFTER_COMMA, text, at)) at++
      else break
      continue
    }
    at += key[0].length
    const quote = text[at]
    const comma = text.indexOf(',', at)
    const upToComma = comma === -1 ? text.length : comma
    let value: string
    if (quote === '"' || quote === "'") {
      const end = closingQuote(text, at + 1, quote)
      unclosed ||= end === -1
      const until = end === -1 ? upToComma : end
      value = text.slice(at + 1, until)
      at = end === -1 ? until : until + 1
    } else {
      const before = text.slice(at, upToComma)
      const next = before.search(NEXT_KEY)
      value = next === -1 ? before : before.slice(0, next)
      at += value.length
    }
    attributes.set((key[1] ?? '').toLowerCase(), value.trim())
  }
  return { attributes, rest: text.slice(at), unclosed }
}

/**
 * Returns the index of the quotation mark that closes the value starting at `from`. Quotation marks inside a value
 * are not escaped. So the closing mark is the first one that is followed by an attribute, by the channel's name or by
 * the end of the line. If there is no such mark before the next attribute begins, the closing mark is the first one
 * before a space, or else the first one.
 *
 * @returns -1 if no quotation mark follows `from`.
 */
function closingQuote(text: string, from: number, quote: string): number {
  const first = text.indexOf(quote, from)
  let beforeSpace = -1
  for (let end = first; end !== -1; end = text.indexOf(quote, end + 1)) {
    if (text[end - 1] === '=') break
    if (matchAt(AFTER_VALUE, text, end + 1)) return end
    if (beforeSpace === -1 && /\s/.test(text[end + 1] ?? '')) beforeSpace = end
  }
  return beforeSpace === -1 ? first : beforeSpace
}

/** Returns the channel for a line with an address, or the reason why the line is rejected. */
function channelOf(
  written: string,
  line: number,
  { information, properties, general, group, base }: Surroundings,
  mended: Remark[],
): ListedChannel | string {
  const [address = '', ...added] = written.split('|')
  // Resolve a relative address only after `#EXTINF:`. Otherwise the lines of an HTML page would become channels.
  const url = URL.parse(address.trim(), information && base)
  // The URL parser requires a host before the port, so it rejects rtp://@239.0.0.1:1234 and udp://@…. Players
  // accept such addresses.
  const scheme = url?.protocol ?? /^[a-z][a-z0-9+.-]*:/i.exec(address)?.[0].toLowerCase() ?? ''
  const relay = RELAY_SCHEMES.has(scheme)
  if (!relay && !LIVE_SCHEMES.has(scheme))
    return scheme === '' ? 'This is not an address.' : `Addresses that begin with ${scheme} are not accepted.`
  if (relay && !url?.hostname) return 'This is not an address.'
  if (relay && (url?.username || url?.password))
    return 'Addresses with a user name or password before the host are not accepted.'
  const get = (...keys: string[]): string => {
    for (const key of keys) {
      const value = information?.attributes.get(key)
      if (value !== undefined && value !== '') return value
    }
    return ''
  }
  const name = information?.name || plainName(get('tvg-name', 'name'), LONGEST_NAME)
  if (name === '') return 'The channel has no name: #EXTINF is missing or has no name.'
  const options = new URLSearchParams(added.join('|'))
  const option = (key: string): string => [...options].find(([each]) => each.toLowerCase() === key)?.[1] ?? ''
  // These values become headers of a request, so each value must be a single line.
  const userAgent = plainName(
    option('user-agent') || (properties.get('http-user-agent') ?? get('user-agent')),
    LONGEST_HEADER,
  )
  const referrer = plainName(option('referer') || (properties.get('http-referrer') ?? ''), LONGEST_HEADER)
  const catchUp = catchUpOf((key) => get(key) || (general.get(key) ?? ''))
  const number = get('tvg-chno', 'channel-number', 'ch-number', 'lcn')
  const isNumber = /^0*[1-9]\d{0,4}(?:\.0+)?$/.test(number)
  if (number !== '' && !isNumber)
    mended.push({
      line,
      reason: `Number ${plainName(number, 40)} is not from 1 to 99999; ${name} gets another.`,
    })
  const manifest = relay ? manifestOf(url?.pathname ?? '', properties) : null
  // Offset in hours, such as `+1`, `-1.5` or `1,5`. A list may set one offset for all channels.
  const hours = get('tvg-shift') || (general.get('tvg-shift') ?? '')
  const shift = Math.round(Number(hours.replace(',', '.')) * 60)
  const isShift = Math.abs(shift) <= MOST_SHIFT_MINUTES
  if (!isShift)
    mended.push({
      line,
      reason: `The shift ${plainName(hours, 40)} is not a number of hours up to 24; it is left out.`,
    })
  const target = { address: relay && url ? url.href : address.trim(), manifest }
  return {
    line,
    kind: relay ? 'relay' : 'live',
    name,
    guideId: plainName(get('tvg-id', 'channel-id'), 200) || null,
    number: isNumber ? Number(number) : null,
    groups: (get('group-title', 'group') || group)
      .split(';')
      .map((each) => plainName(each, 100))
      .filter((each) => each !== ''),
    logo: get('tvg-logo', 'logo') || null,
    radio: isYes(get('radio')),
    adult: isYes(get('adult')) || isYes(get('censored')),
    source: {
      ...target,
      ...(userAgent && { userAgent }),
      ...(referrer && { referrer }),
      ...(catchUp && { catchUp }),
      ...(shift !== 0 && isShift && { guideShiftMinutes: shift }),
    },
  }
}

function manifestOf(path: string, properties: ReadonlyMap<string, string>): StreamSource['manifest'] {
  const said = properties.get('inputstream.adaptive.manifest_type')
  if (said === 'mpd' || /\.mpd$/i.test(path)) return 'dash'
  if (said === 'hls' || /\.m3u8?$/i.test(path)) return 'hls'
  return null
}

/**
 * The ends of addresses of MPEG-TS streams: a file `.ts`, the stream `mpegts` of some servers, and the streams of
 * Xtream Codes, which are `/user/password/1234`, with or without `/live` before it.
 */
const TRANSPORT_STREAM = /\.ts$|\/mpegts$|^\/(?:live\/)?[^/]+\/[^/]+\/\d+$/i

/** Returns whether a relay very likely gets MPEG-TS, which has no manifest and so cannot be relayed. */
export function looksLikeTransportStream({
  address,
  manifest,
}: Pick<StreamSource, 'address' | 'manifest'>): boolean {
  return manifest === null && TRANSPORT_STREAM.test(URL.parse(address)?.pathname ?? '')
}

/** Catch-up modes, by their names in channel lists. */
const CATCH_UP_MODES: ReadonlyMap<string, CatchUpMode> = new Map([
  ['default', 'default'],
  ['append', 'append'],
  ['shift', 'shift'],
  ['flussonic', 'flussonic'],
  ['xc', 'xc'],
  ['vod', 'vod'],
  ['flussonic-hls', 'flussonic'],
  ['flussonic-ts', 'flussonic'],
  ['fs', 'flussonic'],
  ['timeshift', 'shift'],
  ['archive', 'default'],
])

function catchUpOf(get: (key: string) => string): CatchUp | undefined {
  const said = (get('catchup') || get('catchup-type')).toLowerCase()
  const mode = CATCH_UP_MODES.get(said)
  const days = Number(get('catchup-days') || get('tvg-rec') || get('timeshift') || 0)
  if (!mode && !(days > 0)) return undefined
  return {
    mode: mode ?? 'default',
    source: plainName(get('catchup-source'), 2000),
    days: Number.isFinite(days) ? Math.min(Math.max(0, Math.floor(days)), 365) : 0,
  }
}

function isYes(value: string): boolean {
  return /^(1|true|yes)$/i.test(value)
}
