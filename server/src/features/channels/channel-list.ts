import { plainName } from '../../outbound/plain-name.ts'
import { CATCH_UP_MODES, type CatchUp, type CatchUpMode, type StreamSource } from './stream-source.ts'

/** A channel of a list, as the list says it. */
export interface ListedChannel {
  /** Of its address. */
  line: number
  kind: 'relay' | 'live'
  name: string
  /** What guides call it (`tvg-id`); null where the list does not say. */
  guideId: string | null
  number: number | null
  groups: string[]
  logo: string | null
  radio: boolean
  adult: boolean
  source: StreamSource
}

/** A line that was refused, or mended, and why, in words. */
export interface Remark {
  line: number
  reason: string
}

export interface ParsedList {
  channels: ListedChannel[]
  /** Lines that give no channel. */
  refused: Remark[]
  /** What was taken otherwise than it stands there. */
  mended: Remark[]
  /** Addresses of guides that the list names, in its order. */
  guides: string[]
}

/** A file that is no list of channels at all. */
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

/** What stands before an address and is about it. */
interface Pending {
  line: number
  name: string
  attributes: Map<string, string>
  properties: Map<string, string>
}

/**
 * Reads a list of channels (M3U with the attributes of IPTV lists): good lines become channels, the others are listed with
 * their line and reason.
 *
 * @throws ChannelListError for what is no such list, such as the manifest of a stream.
 */
export function parseChannelList(text: string): ParsedList {
  const result: ParsedList = { channels: [], refused: [], mended: [], guides: [] }
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  if (text.includes('\0')) throw new ChannelListError('This is no text, so it is no list of channels.')
  let general = new Map<string, string>()
  let pending: Pending | undefined
  let group = ''
  let begun = false
  for (const [index, raw] of lines.entries()) {
    const line = index + 1
    const written = withoutInlinePictures(raw.trim())
    if (written !== raw.trim())
      result.mended.push({ line, reason: 'The logo is left out: it makes the line too long.' })
    if (written === '') continue
    if (written.length > LONGEST_LINE) {
      result.refused.push({ line, reason: `The line has more than ${LONGEST_LINE} characters.` })
      pending = undefined
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
      if (pending) result.refused.push({ line: pending.line, reason: 'No address follows.' })
      pending = readInformation(written.slice(8), line, pending?.properties, result.mended)
    } else if (/^#EXTGRP:/i.test(written)) {
      group = written.slice(8).trim()
      pending?.attributes.set('group', group)
    } else if (/^#(EXTVLCOPT|KODIPROP):/i.test(written)) {
      pending ??= { line, name: '', attributes: new Map(), properties: new Map() }
      const [key = '', ...value] = written.slice(written.indexOf(':') + 1).split('=')
      pending.properties.set(key.trim().toLowerCase(), value.join('=').trim())
    } else if (!written.startsWith('#')) {
      if (!begun && index === firstWritten(lines) && !/^[a-z][a-z0-9+.-]*:/i.test(written))
        throw new ChannelListError('This is no list of channels (M3U).')
      const made = channelOf(written, line, pending, general)
      if (typeof made === 'string') result.refused.push({ line, reason: made })
      else if (result.channels.length >= MOST_CHANNELS)
        throw new ChannelListError(`The list has more than ${MOST_CHANNELS} channels.`)
      else result.channels.push(made)
      pending = undefined
    }
    begun = true
  }
  if (pending && pending.name !== '')
    result.refused.push({ line: pending.line, reason: 'No address follows.' })
  if (!/^\s*#EXTM3U\b/i.test(lines.find((each) => each.trim() !== '') ?? '')) {
    if (result.channels.length === 0 && result.refused.length === 0)
      throw new ChannelListError('This is no list of channels (M3U).')
    result.mended.push({ line: 1, reason: 'The list does not begin with #EXTM3U; it was read all the same.' })
  }
  return result
}

/** A picture that stands in the line itself is none that is fetched, and may be longer than all the rest of the list. */
function withoutInlinePictures(written: string): string {
  return written.length > LONGEST_LINE && /^#EXTINF:/i.test(written)
    ? written.replaceAll(/(["'])data:[^"']*\1/gi, '""')
    : written
}

function firstWritten(lines: readonly string[]): number {
  return lines.findIndex((each) => each.trim() !== '')
}

/** What `#EXTINF:` says: duration, attributes in any way of quoting, and the name after the comma. */
function readInformation(
  text: string,
  line: number,
  properties: Map<string, string> | undefined,
  mended: Remark[],
): Pending {
  const afterDuration = text.replace(/^\s*[-+]?[\d.]*/, '')
  const { attributes, rest, unclosed } = readAttributes(afterDuration)
  if (unclosed)
    mended.push({ line, reason: 'A quotation mark is never closed; the value was taken up to the comma.' })
  const name = plainName(rest.replace(/^\s*,/, ''), LONGEST_NAME)
  return { line, name, attributes, properties: properties ?? new Map() }
}

/** Attributes as `key="value"`, `key='value'` or `key=value`, which ends at the next key, the comma or the end. */
function readAttributes(text: string): { attributes: Map<string, string>; rest: string; unclosed: boolean } {
  const attributes = new Map<string, string>()
  let at = 0
  let unclosed = false
  for (;;) {
    const key = /^[\s;]*([A-Za-z][\w-]*)\s*=\s*/.exec(text.slice(at))
    if (!key) break
    at += key[0].length
    const quote = text[at]
    let value: string
    if (quote === '"' || quote === "'") {
      const end = text.indexOf(quote, at + 1)
      const comma = text.indexOf(',', at)
      unclosed ||= end === -1
      const until = end === -1 ? (comma === -1 ? text.length : comma) : end
      value = text.slice(at + 1, until)
      at = end === -1 ? until : until + 1
    } else {
      value = /^.*?(?=\s+[A-Za-z][\w-]*\s*=|\s*,|\s*$)/.exec(text.slice(at))?.[0] ?? ''
      at += value.length
    }
    attributes.set((key[1] ?? '').toLowerCase(), value.trim())
  }
  return { attributes, rest: text.slice(at), unclosed }
}

/** The channel of an address, or why there is none. */
function channelOf(
  written: string,
  line: number,
  pending: Pending | undefined,
  general: ReadonlyMap<string, string>,
): ListedChannel | string {
  const [address = '', ...added] = written.split('|')
  const url = URL.parse(address.trim())
  // rtp://@239.0.0.1:1234 and udp://@… are no addresses to a URL parser that wants a host before the port, but they are to all players.
  const scheme = url?.protocol ?? /^[a-z][a-z0-9+.-]*:/i.exec(address)?.[0].toLowerCase() ?? ''
  const relay = RELAY_SCHEMES.has(scheme)
  if (!relay && !LIVE_SCHEMES.has(scheme))
    return scheme === '' ? 'This is not an address.' : `Addresses that begin with ${scheme} are not taken.`
  if (relay && !url?.hostname) return 'This is not an address.'
  if (relay && (url?.username || url?.password))
    return 'Addresses with a user name or password before the host are not taken.'
  const get = (...keys: string[]): string => {
    for (const key of keys) {
      const value = pending?.attributes.get(key)
      if (value !== undefined && value !== '') return value
    }
    return ''
  }
  const name = pending?.name || plainName(get('tvg-name', 'name'), LONGEST_NAME)
  if (name === '') return 'The channel has no name: #EXTINF is missing or says none.'
  const options = new URLSearchParams(added.join('|'))
  const option = (key: string): string => [...options].find(([each]) => each.toLowerCase() === key)?.[1] ?? ''
  // They become headers of a call, where nothing but one line of text may stand.
  const userAgent = plainName(
    option('user-agent') || (pending?.properties.get('http-user-agent') ?? get('user-agent')),
    LONGEST_HEADER,
  )
  const referrer = plainName(
    option('referer') || (pending?.properties.get('http-referrer') ?? ''),
    LONGEST_HEADER,
  )
  const catchUp = catchUpOf((key) => get(key) || (general.get(key) ?? ''))
  // Hours, such as `+1` or `-1.5`; a list may say it once for all of its channels.
  const shift = Math.round(Number(get('tvg-shift') || (general.get('tvg-shift') ?? '')) * 60)
  const number = get('tvg-chno', 'channel-number', 'ch-number', 'lcn')
  return {
    line,
    kind: relay ? 'relay' : 'live',
    name,
    guideId: plainName(get('tvg-id', 'channel-id'), 200) || null,
    number: /^\d{1,5}$/.test(number) && Number(number) > 0 ? Number(number) : null,
    groups: get('group-title', 'group')
      .split(';')
      .map((each) => plainName(each, 100))
      .filter((each) => each !== ''),
    logo: get('tvg-logo', 'logo') || null,
    radio: isYes(get('radio')),
    adult: isYes(get('adult')) || isYes(get('censored')),
    source: {
      address: relay && url ? url.href : address.trim(),
      manifest: relay ? manifestOf(url?.pathname ?? '', pending?.properties) : null,
      ...(userAgent && { userAgent }),
      ...(referrer && { referrer }),
      ...(catchUp && { catchUp }),
      ...(shift !== 0 && Math.abs(shift) <= MOST_SHIFT_MINUTES && { guideShiftMinutes: shift }),
    },
  }
}

function manifestOf(
  path: string,
  properties: ReadonlyMap<string, string> | undefined,
): StreamSource['manifest'] {
  const said = properties?.get('inputstream.adaptive.manifest_type')
  if (said === 'mpd' || /\.mpd$/i.test(path)) return 'dash'
  if (said === 'hls' || /\.m3u8?$/i.test(path)) return 'hls'
  return null
}

function catchUpOf(get: (key: string) => string): CatchUp | undefined {
  const said = (get('catchup') || get('catchup-type')).toLowerCase()
  const known: Record<string, CatchUpMode> = {
    'flussonic-hls': 'flussonic',
    fs: 'flussonic',
    timeshift: 'shift',
    archive: 'default',
  }
  const mode = CATCH_UP_MODES.find((each) => each === said) ?? known[said]
  const days = Number(get('catchup-days') || get('tvg-rec') || 0)
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
