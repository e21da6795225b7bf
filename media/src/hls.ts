import { languageName, languageTag } from './language.ts'
import { type AudioSlot, type Layout, layoutAt, type Slot, type TextSlot, type VideoSlot } from './layout.ts'
import { type SegmentTimes, segmentTimes } from './segment-times.ts'
import {
  clockTicks,
  EMPTY_TEXT,
  endOf,
  type SpanSegments,
  spansOf,
  tilesOf,
  timesOf,
} from './span-segments.ts'
import type { Span } from './timeline.ts'
import type { Rendition, ThumbnailTiles, TrackSet } from './track-set.ts'
import { segmentStart, type Window } from './window.ts'

/** The attributes of an EXT-X-KEY line (RFC 8216 section 4.3.2.4). */
interface HlsKey {
  /** Address of the key, relative to the media playlist or absolute. */
  uri: string
  /** KEYFORMAT. With `identity`, `uri` returns the 16 bytes of the key. Any other value names a key system. */
  keyFormat: string
  keyFormatVersions?: string
  /** The key id as 32 hexadecimal digits, for key systems that need it. */
  keyId?: string
}

export interface HlsOptions {
  /** Prefix of `{trackSet}/{rendition}/{n}.m4s`, such as `/media/`. */
  mediaBase: string
  /** Returns the keys of an encrypted Span, one for each key system. */
  keys?: (span: Span) => readonly HlsKey[]
  /** Query appended to the addresses of media playlists, such as `?keyformat=clearkey`; usually none. */
  query?: string
  /** Where players begin in a sliding window instead of at the live edge, in milliseconds since the Unix epoch. */
  startsAt?: number | undefined
}

/**
 * Version of the playlists. EXT-X-MAP in media playlists needs at least version 6, and SAMPLE-AES keys need at least
 * version 5 (RFC 8216 section 7). Version 7 is common among other services.
 */
const VERSION = 7

/** Returns the name of a slot's media playlist, a file next to the multivariant playlist. */
function hlsPlaylistName(slotId: string): string {
  return `${slotId}.m3u8`
}

/** Name of the playlist of thumbnails. */
export const HLS_THUMBNAILS = 'thumbnails.m3u8'

/**
 * Returns the multivariant playlist, which lists the media playlists of all slots. It contains no segments, so it
 * stays the same while a channel plays, unless the Layout grows.
 */
export function hlsMultivariant(window: Window, { query = '' }: Pick<HlsOptions, 'query'> = {}): string {
  // The last Span of a window is the first to have a new slot.
  const { slots } = layoutAt(
    window.timeline.layout,
    (window.timeline.spans[window.lastSpan] as Span).startsAt,
  )
  const audio = slots.filter((slot) => slot.kind === 'audio')
  const text = slots.filter((slot) => slot.kind === 'text')
  const video = slots.filter((slot) => slot.kind === 'video')
  const lines = ['#EXTM3U', `#EXT-X-VERSION:${VERSION}`, '#EXT-X-INDEPENDENT-SEGMENTS']
  const groups: string[] = []
  // On a radio channel with one language, the only audio playlist is the variant. With several languages, the
  // audio playlists form a group of alternatives, as in a programme with video.
  if (video.length > 0 ? audio.length > 0 : audio.length > 1) {
    for (const slot of audio) lines.push(audioLine(slot, audio, query))
    groups.push('AUDIO="audio"')
  }
  for (const slot of text) lines.push(textLine(slot, text, query))
  if (text.length > 0) groups.push('SUBTITLES="text"')
  for (const slot of video.length > 0 ? video : audio.filter((slot) => isChosen(slot, audio))) {
    lines.push(variantLine(slot, video.length > 0 ? audio : [], groups), hlsPlaylistName(slot.id) + query)
  }
  const tiles = filmTiles(window)
  if (tiles) lines.push(thumbnailsLine(tiles, query))
  return `${lines.join('\n')}\n`
}

/** Returns whether this audio slot plays by default. */
function isChosen(slot: AudioSlot, all: readonly AudioSlot[]): boolean {
  return slot === (all.find(({ isDefault }) => isDefault) ?? all[0])
}

function audioLine(slot: AudioSlot, all: readonly AudioSlot[], query: string): string {
  // Apple's players choose a description by themselves if the viewer has asked for descriptions in the settings.
  const description =
    slot.addition === 'description' ? 'CHARACTERISTICS="public.accessibility.describes-video",' : ''
  return (
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",${naming(slot, all)},DEFAULT=${yesNo(isChosen(slot, all))},` +
    `AUTOSELECT=${yesNo(slot.addition !== 'commentary')},${description}CHANNELS="${slot.channels}",URI="${hlsPlaylistName(slot.id)}${query}"`
  )
}

function textLine(slot: TextSlot, all: readonly TextSlot[], query: string): string {
  const captions = slot.captions
    ? ',CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound"'
    : ''
  return (
    `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",${naming(slot, all)},DEFAULT=NO,AUTOSELECT=YES,` +
    `FORCED=${yesNo(slot.forced)}${captions},URI="${hlsPlaylistName(slot.id)}${query}"`
  )
}

/** Returns the name and language attributes. Names must differ within a group (RFC 8216 section 4.3.4.1). */
function naming(slot: AudioSlot | TextSlot, all: readonly (AudioSlot | TextSlot)[]): string {
  const tag = languageTag(slot.language)
  const name = nameOf(slot)
  const twin = all.some((other) => other !== slot && nameOf(other) === name)
  return `NAME="${quotable(twin ? `${name} (${slot.id})` : name)}"${tag ? `,LANGUAGE="${tag}"` : ''}`
}

function nameOf({ id, label, language }: AudioSlot | TextSlot): string {
  const tag = languageTag(language)
  return label || (tag ? languageName(tag) : id)
}

function variantLine(
  slot: VideoSlot | AudioSlot,
  audio: readonly AudioSlot[],
  groups: readonly string[],
): string {
  const peak = Math.max(0, ...audio.map(({ bandwidth }) => bandwidth))
  const mean = Math.max(0, ...audio.map(({ averageBandwidth }) => averageBandwidth))
  const codecs = [...new Set([slot.codec, ...audio.map(({ codec }) => codec)])].join(',')
  const picture =
    slot.kind === 'video'
      ? `,RESOLUTION=${slot.width}x${slot.height},FRAME-RATE=${slot.frameRate.toFixed(3)}`
      : ''
  return [
    `#EXT-X-STREAM-INF:BANDWIDTH=${slot.bandwidth + peak},AVERAGE-BANDWIDTH=${slot.averageBandwidth + mean}`,
    `CODECS="${codecs}"${picture}`,
    ...groups,
  ].join(',')
}

/**
 * Returns the line of the multivariant playlist for thumbnail tiles, in the form that is common in the industry.
 * RESOLUTION is the size of one picture in a tile.
 */
function thumbnailsLine(tiles: ThumbnailTiles, query: string): string {
  const size = `${tiles.tileWidth}x${tiles.tileHeight}`
  return `#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=50000,RESOLUTION=${size},CODECS="jpeg",URI="${HLS_THUMBNAILS}${query}"`
}

/**
 * Returns the thumbnails of a film; null for a film with breaks, because HLS cannot express an offset in a tile.
 */
function filmTiles(window: Window): ThumbnailTiles | null {
  const [span, ...others] = window.timeline.spans
  return span && others.length === 0 ? tilesOf(span, window) : null
}

/** Returns the playlist of a film's thumbnails; null when the film has no thumbnails. */
export function hlsThumbnails(window: Window, { mediaBase }: HlsOptions): string | null {
  const trackSet = window.timeline.spans[0]?.trackSet
  const tiles = filmTiles(window)
  if (!tiles || !trackSet) return null
  const perTile = tiles.columns * tiles.rows
  const seconds = perTile * tiles.intervalSeconds
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${VERSION}`,
    `#EXT-X-TARGETDURATION:${Math.ceil(seconds)}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-IMAGES-ONLY',
  ]
  for (let tile = 0; tile * perTile < tiles.count; tile++) {
    const pictures = Math.min(perTile, tiles.count - tile * perTile)
    lines.push(
      `#EXTINF:${decimal(pictures * tiles.intervalSeconds)},`,
      `#EXT-X-TILES:RESOLUTION=${tiles.tileWidth}x${tiles.tileHeight},LAYOUT=${tiles.columns}x${tiles.rows},DURATION=${decimal(tiles.intervalSeconds)}`,
      `${mediaBase}${trackSet.id}/thumbnails/${tile + 1}.jpg`,
    )
  }
  return `${lines.join('\n')}\n#EXT-X-ENDLIST\n`
}

/** Returns the media playlist of a slot, or null when the Layout has no such slot. */
export function hlsMedia(window: Window, slotId: string, options: HlsOptions): string | null {
  const { layout } = window.timeline
  const slot = layout.slots.find(({ id }) => id === slotId)
  if (!slot) return null
  const parts = spansOf(window)
  const [first] = parts as [SpanSegments]
  let playlist = header(window, layout, first) + startLine(window, first, options)
  for (const part of parts) {
    if (part !== first && part.span.joint !== 'continuous') playlist += '#EXT-X-DISCONTINUITY\n'
    // A film of several Spans gets dates too. They are no real times of day, but without them, sound and video would
    // drift apart with every Span.
    if (window.kind !== 'whole' || parts.length > 1) playlist += dateOf(part, slotId)
    playlist += dateRange(part.span)
    playlist += part.span.renditions[slotId] ? keysAndMap(part.span, slot, options) : ''
    playlist += segmentLines(part, slotId, window, options.mediaBase)
  }
  return window.ended ? `${playlist}#EXT-X-ENDLIST\n` : playlist
}

/**
 * Lines that tell players the kind of a window. In a start-over (`growing`), EXT-X-START makes players begin at
 * the start of the programme. Otherwise they would join at the live edge (RFC 8216 section 4.3.5.2).
 */
const TYPE_LINES: Record<Window['kind'], string> = {
  whole: '#EXT-X-PLAYLIST-TYPE:VOD\n',
  sliding: '',
  growing: '#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-START:TIME-OFFSET=0\n',
  closed: '#EXT-X-PLAYLIST-TYPE:VOD\n',
}

/**
 * Returns the EXT-X-PROGRAM-DATE-TIME line: the time at which the part begins in the slot's rendition. Sound is
 * not cut exactly where the picture is cut. With these dates, players keep both in sync.
 */
function dateOf({ span, from }: SpanSegments, slotId: string): string {
  const times = timesOf(span, span.renditions[slotId] ?? null)
  const ticks = times.startTicks(from) - clockTicks(span, span.firstSegment, times)
  const date = new Date(span.startsAt + Math.round((ticks * 1000) / times.timescale))
  return `#EXT-X-PROGRAM-DATE-TIME:${date.toISOString()}\n`
}

/** Returns the EXT-X-DATERANGE line for the event of a Span. */
function dateRange({ startsAt, event }: Span): string {
  if (!event) return ''
  const { schemeIdUri, durationMs, data } = event
  return (
    `#EXT-X-DATERANGE:ID="${startsAt}",CLASS="${quotable(schemeIdUri)}",START-DATE="${new Date(startsAt).toISOString()}",` +
    `DURATION=${decimal(durationMs / 1000)},X-DATA="${quotable(data)}"\n`
  )
}

function header(window: Window, layout: Layout, { span, from }: SpanSegments): string {
  return (
    `#EXTM3U\n#EXT-X-VERSION:${VERSION}\n#EXT-X-TARGETDURATION:${layout.targetDurationSeconds}\n` +
    `#EXT-X-MEDIA-SEQUENCE:${span.mediaSequence + from - span.firstSegment}\n` +
    `#EXT-X-DISCONTINUITY-SEQUENCE:${span.discontinuitySequence}\n${TYPE_LINES[window.kind]}`
  )
}

/**
 * Returns the EXT-X-START line for `startsAt`; an empty text when the window does not contain `startsAt`. Players
 * then begin at the live edge.
 */
function startLine(window: Window, { span, from }: SpanSegments, { startsAt }: HlsOptions): string {
  if (startsAt === undefined || window.kind !== 'sliding') return ''
  const offset = startsAt - segmentStart(span, from - span.firstSegment)
  if (offset < 0 || startsAt > window.publishedAt) return ''
  return `#EXT-X-START:TIME-OFFSET=${decimal(offset / 1000)},PRECISE=YES\n`
}

function keysAndMap(span: Span, slot: Slot, { keys, mediaBase }: HlsOptions): string {
  if (slot.kind === 'text') return ''
  let lines = ''
  if (span.trackSet.encryption) {
    for (const key of keys?.(span) ?? []) {
      const versions = key.keyFormatVersions ? `,KEYFORMATVERSIONS="${quotable(key.keyFormatVersions)}"` : ''
      const keyId = key.keyId ? `,KEYID=0x${key.keyId}` : ''
      lines += `#EXT-X-KEY:METHOD=SAMPLE-AES,URI="${quotable(key.uri)}"${keyId},KEYFORMAT="${quotable(key.keyFormat)}"${versions}\n`
    }
  } else {
    // A key applies until the next EXT-X-KEY, so a clear Span after an encrypted one must end it.
    lines = '#EXT-X-KEY:METHOD=NONE\n'
  }
  const rendition = span.renditions[slot.id]
  return rendition
    ? `${lines}#EXT-X-MAP:URI="${mediaBase}${span.trackSet.id}/${rendition.id}/init.mp4"\n`
    : lines
}

function segmentLines(part: SpanSegments, slotId: string, window: Window, mediaBase: string): string {
  const { span, from } = part
  const rendition = span.renditions[slotId] ?? null
  const lines = rendition ? linesOf(span.trackSet, rendition, mediaBase) : emptyLinesOf(span, mediaBase)
  return lines.text.slice(lines.offsets[from], lines.offsets[endOf(part, rendition, window)])
}

/**
 * All segments of a rendition as playlist lines, with the offset of each segment in `text`. The lines of a window
 * are a slice of `text`.
 */
interface Lines {
  /** Common prefix of the addresses of all segments. */
  prefix: string
  text: string
  offsets: Uint32Array
}

const known = new WeakMap<object, Lines>()

function linesOf(trackSet: TrackSet, rendition: Rendition, mediaBase: string): Lines {
  const prefix = `${mediaBase}${trackSet.id}/${rendition.id}/`
  const extension = rendition.kind === 'text' ? 'vtt' : 'm4s'
  return writeOnce(rendition, segmentTimes(rendition), prefix, (number) => `${number}.${extension}`)
}

function emptyLinesOf({ times }: Span, mediaBase: string): Lines {
  return writeOnce(times, times, `${mediaBase}${EMPTY_TEXT}`, () => '')
}

function writeOnce(
  key: object,
  times: SegmentTimes,
  prefix: string,
  file: (number: number) => string,
): Lines {
  let lines = known.get(key)
  if (lines?.prefix !== prefix) {
    lines = writeLines(times, prefix, file)
    known.set(key, lines)
  }
  return lines
}

function writeLines(times: SegmentTimes, prefix: string, file: (number: number) => string): Lines {
  const offsets = new Uint32Array(times.count + 1)
  let text = ''
  let index = 0
  for (const [run, ticks] of times.runTicks.entries()) {
    const duration = `#EXTINF:${decimal(ticks / times.timescale)},\n`
    for (const end = times.runFirst[run + 1] ?? times.count; index < end; index++) {
      offsets[index] = text.length
      text += `${duration}${prefix}${file(index + 1)}\n`
    }
  }
  offsets[index] = text.length
  return { prefix, text, offsets }
}

/** Formats seconds with at most six decimals and no trailing zeros. */
function decimal(seconds: number): string {
  return String(Number(seconds.toFixed(6)))
}

/**
 * Returns `text` for use in a quoted string. Replaces quotes, line breaks and other control characters by
 * apostrophes, because a quoted string must not contain them (RFC 8216 sections 4.1, 4.2).
 */
function quotable(text: string): string {
  return text.toWellFormed().replaceAll(/["\p{Cc}]/gu, "'")
}

function yesNo(value: boolean): 'YES' | 'NO' {
  return value ? 'YES' : 'NO'
}
