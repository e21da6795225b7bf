import { escapeUTF8 } from 'entities/escape'
import { languageTag } from './language.ts'
import type { AudioSlot, Layout, RenditionMap, Slot, TextSlot } from './layout.ts'
import { clearKeyId, signalsProtection } from './protection.ts'
import { type KeySystem, psshBoxes, SYSTEM_IDS } from './pssh.ts'
import type { SegmentTimes } from './segment-times.ts'
import { clockTicks, endOf, NO_TEXT, type SpanSegments, spansOf, tilesOf, timesOf } from './span-segments.ts'
import type { Span } from './timeline.ts'
import type { Rendition, ThumbnailTiles, TrackSet } from './track-set.ts'
import { segmentEnd, segmentStart, type Window } from './window.ts'

export interface DashOptions {
  /** Prefix of `{trackSet}/{rendition}/{n}.m4s`, such as `/media/`. */
  mediaBase: string
  /** Address that returns the service's time (`urn:mpeg:dash:utc:http-iso:2014`). */
  utcTimingUrl: string
  /** Absolute address of licences of Clear Key, or of Widevine. Omitted from the manifest when undefined. */
  licenceUrl?: string | undefined
  /** Key systems of the licence provider. The manifest names them instead of Clear Key. None by default. */
  keySystems?: readonly KeySystem[]
}

/** The Clear Key system (DASH-IF, `content-protection`). */
const CLEAR_KEY = 'urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e'
const PROFILE = 'urn:mpeg:dash:profile:isoff-live:2011'

/**
 * How many segments players stay behind the newest segment: one for the time to fetch it, and one as a reserve.
 */
const DELAY_SEGMENTS = 2

/**
 * Maximum excess of the longest segment over the Layout's target duration, in seconds: a Layout rounds to whole
 * seconds.
 */
const ROUNDING_SECONDS = 0.5

/**
 * Returns the manifest of a window (ISO/IEC 23009-1). On a channel, times count from the Unix epoch, and the start
 * of a Period never changes. In a film or a recording, times begin at 0, even while the recording still grows: so
 * positions in an open player stay valid.
 *
 * When the programme of a start-over ends, its manifest becomes static, byte for byte the manifest of the
 * recording. In a dynamic manifest, players would stop before the end, at the presentation delay, and would not
 * notice the end.
 */
export function dashManifest(window: Window, options: DashOptions): string {
  const parts = spansOf(window)
  const [first] = parts as [SpanSegments]
  const isSliding = window.kind === 'sliding'
  const origin = isSliding ? 0 : segmentStart(first.span, first.from - first.span.firstSegment)
  let periods = ''
  for (const part of parts) periods += period(part, window, origin, options)
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:cenc="urn:mpeg:cenc:2013" ` +
    `xmlns:dashif="https://dashif.org/CPS" profiles="${PROFILE}" ${timing(window, parts, origin)}>\n${periods}` +
    `<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="${escape(options.utcTimingUrl)}"/>\n</MPD>\n`
  )
}

function timing(window: Window, parts: readonly SpanSegments[], origin: number): string {
  const target = window.timeline.layout.targetDurationSeconds
  const last = parts.at(-1) as SpanSegments
  const end = segmentEnd(last.span, last.to - last.span.firstSegment - 1)
  const common = `minBufferTime="PT${target}S" maxSegmentDuration="PT${longestSegment(window)}S"`
  if (window.ended) return `type="static" mediaPresentationDuration="${duration(end - origin)}" ${common}`
  const zero = new Date(origin).toISOString().replace('.000Z', 'Z')
  const published = `publishTime="${new Date(window.publishedAt).toISOString()}" availabilityStartTime="${zero}"`
  const update = `minimumUpdatePeriod="${duration(target * 500)}"`
  // Shaka adds the rounding of the longest segment to the delay. Without the subtraction, Shaka would begin just
  // before the start of a segment, and would also fetch the previous one.
  const delay = `suggestedPresentationDelay="PT${target * DELAY_SEGMENTS - ROUNDING_SECONDS}S"`
  if (window.kind === 'growing') return `type="dynamic" ${published} ${update} ${delay} ${common}`
  const [first] = parts as [SpanSegments]
  // The depth of the window is the total duration of its segments.
  const depth = end - segmentStart(first.span, first.from - first.span.firstSegment)
  return `type="dynamic" ${published} ${update} timeShiftBufferDepth="${duration(depth)}" ${delay} ${common}`
}

/**
 * Returns the maximum segment duration in seconds. The value must never grow (ISO/IEC 23009-1, table 3), so it is
 * the same in all updates of a manifest.
 */
function longestSegment(window: Window): number {
  const longest = window.timeline.layout.targetDurationSeconds + ROUNDING_SECONDS
  const tiles = window.timeline.spans.flatMap((span) => tilesOf(span, window) ?? [])
  return Math.max(longest, ...tiles.map((each) => tileMilliseconds(each) / 1000))
}

function period(part: SpanSegments, window: Window, origin: number, options: DashOptions): string {
  const { span, from } = part
  const { firstSegment } = span
  // On a channel, a Period begins at the start of its Span, even if the window begins later. In a film or a
  // recording, times begin at 0, so the first Period begins at the first segment of the window.
  const isSliding = window.kind === 'sliding'
  const cut = isSliding ? firstSegment : from
  const start = isSliding ? span.startsAt : segmentStart(span, from - firstSegment) - origin
  const keys = signalsProtection(window) ? protection(span, options) : ''
  const skeleton = skeletonOf(window.timeline.layout, span, options.mediaBase)
  let text = `<Period id="${periodId(span)}" start="${duration(start)}">\n${eventStream(span)}`
  for (const { opening, isProtected, template, rendition, times } of skeleton.tracks) {
    text += isProtected ? opening + keys : opening
    text += `${template}${clockTicks(span, cut, times)}" startNumber="${from + 1}"><SegmentTimeline>`
    text += timelineOf(times).slice(from, endOf(part, rendition, window))
    text += '</SegmentTimeline></SegmentTemplate></Representation>\n'
  }
  const tiles = tilesOf(span, window)
  const images = tiles ? thumbnails(tiles, part, skeleton.setCount + 1, options.mediaBase) : ''
  return `${text}</AdaptationSet>\n${images}</Period>\n`
}

/** Returns the EventStream element for the event of a Span (ISO/IEC 23009-1, section 5.10). */
function eventStream({ event, mediaSequence }: Span): string {
  if (!event) return ''
  return (
    `<EventStream schemeIdUri="${escape(event.schemeIdUri)}" timescale="1000">` +
    `<Event presentationTime="0" duration="${event.durationMs}" id="${mediaSequence}" contentEncoding="base64" messageData="${escape(event.data)}"/></EventStream>\n`
  )
}

/**
 * Returns the id of a Span's Period. The id is unique in the channel and never changes between updates (ISO/IEC
 * 23009-1, section 5.3.2). So it does not contain the joint: after an advertisement has left the window, the joint
 * of the next Span changes.
 */
function periodId({ discontinuitySequence, mediaSequence }: Span): string {
  return `${discontinuitySequence}.${mediaSequence}`
}

/** Returns the ContentProtection elements for a Span's AdaptationSets. */
function protection({ trackSet }: Span, { licenceUrl, keySystems = [] }: DashOptions): string {
  const keyId = trackSet.encryption?.keyId ?? clearKeyId(trackSet)
  const scheme = `<ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cbcs" cenc:default_KID="${uuid(keyId)}"/>\n`
  if (keySystems.length > 0) {
    const boxes = psshBoxes(keyId)
    // Some providers issue licences for one key only, so the address names the key.
    const address = licenceUrl && `${licenceUrl}?keyId=${keyId.replaceAll('-', '').toLowerCase()}`
    const systems = keySystems.map((system) =>
      systemProtection(system, boxes[system], system === 'widevine' ? address : undefined),
    )
    return scheme + systems.join('')
  }
  return `${scheme}<ContentProtection schemeIdUri="${CLEAR_KEY}" value="ClearKey1.0">${licence(licenceUrl)}</ContentProtection>\n`
}

/**
 * Returns the ContentProtection element of a key system, with its `pssh` box (ISO/IEC 23001-7, section 11.2) and its
 * licence address.
 */
function systemProtection(system: KeySystem, pssh: Uint8Array, licenceUrl: string | undefined): string {
  const base64 = btoa(String.fromCharCode(...pssh))
  return `<ContentProtection schemeIdUri="urn:uuid:${SYSTEM_IDS[system]}"><cenc:pssh>${base64}</cenc:pssh>${licence(licenceUrl)}</ContentProtection>\n`
}

/**
 * Returns the elements with a licence address; empty if there is none. Writes both forms of their name, because
 * editions of the standard, and players, differ in its case.
 */
function licence(url: string | undefined): string {
  if (url === undefined) return ''
  const address = escape(url)
  return `<dashif:Laurl Lic_type="EME-1.0">${address}</dashif:Laurl><dashif:laurl Lic_type="EME-1.0">${address}</dashif:laurl>`
}

/**
 * The constant text of a Representation, up to the first number that depends on the window. The text is the same
 * in every manifest of the TrackSet.
 */
interface Track {
  /**
   * Text that closes the previous AdaptationSet and opens the next one. Empty for a further Representation of the
   * same AdaptationSet.
   */
  opening: string
  /** Whether the ContentProtection elements follow `opening`. */
  isProtected: boolean
  /** Text of the Representation up to the value of presentationTimeOffset. */
  template: string
  rendition: Rendition | null
  times: SegmentTimes
}

interface Skeleton {
  mediaBase: string
  tracks: readonly Track[]
  setCount: number
}

/** Skeletons by the RenditionMap of a Span, which belongs to one Layout and one TrackSet. */
const skeletons = new WeakMap<RenditionMap, Skeleton>()

function skeletonOf(layout: Layout, span: Span, mediaBase: string): Skeleton {
  let skeleton = skeletons.get(span.renditions)
  if (skeleton?.mediaBase !== mediaBase) {
    skeleton = makeSkeleton(layout, span, mediaBase)
    skeletons.set(span.renditions, skeleton)
  }
  return skeleton
}

/**
 * Makes the skeleton. All video renditions share the first AdaptationSet. Each audio and text rendition has a
 * separate one.
 */
function makeSkeleton({ slots }: Layout, span: Span, mediaBase: string): Skeleton {
  const tracks: Track[] = []
  // Id 1 is reserved for video, even in a Layout without video.
  let setCount = 1
  const add = (slot: Slot, adaptationSet: { open: string; rest: string } | null) => {
    const rendition = span.renditions[slot.id] ?? null
    const times = timesOf(span, rendition)
    const close = tracks.length > 0 ? '</AdaptationSet>\n' : ''
    tracks.push({
      opening: adaptationSet ? close + adaptationSet.open : '',
      isProtected: adaptationSet !== null && slot.kind !== 'text',
      template:
        `${adaptationSet?.rest ?? ''}<Representation id="${slot.id}" ${attributesOf(slot, rendition, tracks.length)}>${channelsOf(rendition)}` +
        `<SegmentTemplate timescale="${times.timescale}" ${addresses(span.trackSet, rendition, escape(mediaBase))} presentationTimeOffset="`,
      rendition,
      times,
    })
  }
  // A Period keeps its tracks when the Layout grows.
  const isOwn = ({ offeredFrom = span.startsAt }: Slot) => offeredFrom <= span.startsAt
  for (const slot of slots.filter(isOwn)) {
    if (slot.kind === 'video') add(slot, tracks.length === 0 ? { open: VIDEO_SET, rest: '' } : null)
  }
  for (const slot of slots) {
    if (slot.kind === 'video') continue
    setCount++
    if (isOwn(slot)) add(slot, adaptationSet(slot, setCount))
  }
  return { mediaBase, tracks, setCount }
}

const VIDEO_SET =
  '<AdaptationSet id="1" contentType="video" mimeType="video/mp4" segmentAlignment="true" startWithSAP="1">\n'

/**
 * Returns the beginning of an AdaptationSet, and its text between the ContentProtection elements and the
 * Representations.
 */
function adaptationSet(slot: AudioSlot | TextSlot, id: number): { open: string; rest: string } {
  const tag = languageTag(slot.language)
  const lang = tag ? ` lang="${tag}"` : ''
  const label = slot.label ? `<Label>${escape(slot.label)}</Label>\n` : ''
  if (slot.kind === 'audio') {
    const accessibility =
      slot.addition === 'description'
        ? '<Accessibility schemeIdUri="urn:mpeg:dash:role:2011" value="description"/>\n'
        : ''
    const kind = slot.isDefault ? 'main' : slot.addition === 'commentary' ? 'commentary' : 'alternate'
    return {
      open: `<AdaptationSet id="${id}" contentType="audio" mimeType="audio/mp4"${lang} segmentAlignment="true" startWithSAP="1">\n`,
      rest: label + accessibility + role(kind),
    }
  }
  const kind = slot.forced ? 'forced-subtitle' : slot.captions ? 'caption' : 'subtitle'
  return {
    open: `<AdaptationSet id="${id}" contentType="text" mimeType="application/mp4"${lang} segmentAlignment="true" startWithSAP="1">\n`,
    rest: label + role(kind),
  }
}

function role(value: string): string {
  return `<Role schemeIdUri="urn:mpeg:dash:role:2011" value="${value}"/>\n`
}

/**
 * Returns the attributes of a Representation, except its id, for the rendition that the Span plays in this slot.
 *
 * @param place position of the slot in the Period
 */
function attributesOf(slot: Slot, rendition: Rendition | null, place: number): string {
  if (!rendition || rendition.kind === 'text') return 'codecs="wvtt" bandwidth="1000"'
  if (rendition.kind === 'audio') {
    return `codecs="${rendition.codec}" bandwidth="${rendition.bandwidth}" audioSamplingRate="${rendition.sampleRate}"`
  }
  const lowered = slot.kind === 'video' && slot.height !== rendition.height
  // Several slots may play the same file. Players merge Representations with equal bandwidths, so the bandwidths must
  // differ.
  const bandwidth = lowered ? Math.max(slot.bandwidth, rendition.bandwidth + 1 + place) : rendition.bandwidth
  return `codecs="${rendition.codec}" bandwidth="${bandwidth}" width="${rendition.width}" height="${rendition.height}" frameRate="${frameRate(rendition.frameRate)}"`
}

function channelsOf(rendition: Rendition | null): string {
  return rendition?.kind === 'audio'
    ? `<AudioChannelConfiguration schemeIdUri="urn:mpeg:dash:23003:3:audio_channel_configuration:2011" value="${rendition.channels}"/>`
    : ''
}

function addresses(trackSet: TrackSet, rendition: Rendition | null, mediaBase: string): string {
  const folder = `${mediaBase}${trackSet.id}/${rendition?.id ?? NO_TEXT}/`
  return `initialization="${folder}init.mp4" media="${folder}$Number$.m4s"`
}

function tileMilliseconds({ columns, rows, intervalSeconds }: ThumbnailTiles): number {
  return Math.round(columns * rows * intervalSeconds * 1000)
}

function thumbnails(
  tiles: ThumbnailTiles,
  { span, from, to }: SpanSegments,
  setId: number,
  mediaBase: string,
): string {
  const { columns, rows, tileWidth, tileHeight } = tiles
  const { id } = span.trackSet
  const tileMs = tileMilliseconds(tiles)
  const startOf = (segment: number) =>
    Math.round((span.times.startTicks(segment) * 1000) / span.times.timescale)
  const startMs = startOf(from)
  // A part of a film may begin and end in the middle of a tile.
  const first = Math.floor(startMs / tileMs)
  const count = Math.ceil(startOf(to) / tileMs) - first
  const place =
    startMs === 0
      ? `duration="${tileMs}" startNumber="1"`
      : `presentationTimeOffset="${startMs}" startNumber="${first + 1}"`
  const address = `media="${escape(mediaBase)}${id}/thumbnails/$Number$.jpg"`
  const timeline =
    startMs === 0
      ? '/>'
      : `><SegmentTimeline>${element(tileMs, count, first * tileMs)}</SegmentTimeline></SegmentTemplate>`
  return (
    `<AdaptationSet id="${setId}" contentType="image" mimeType="image/jpeg">\n` +
    `<SegmentTemplate timescale="1000" ${place} ${address}${timeline}\n` +
    `<Representation id="thumbnails" bandwidth="50000" width="${columns * tileWidth}" height="${rows * tileHeight}">` +
    `<EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="${columns}x${rows}"/></Representation>\n</AdaptationSet>\n`
  )
}

/** The whole SegmentTimeline of a rendition as text. A window's elements are a slice of this text. */
class TimelineText {
  readonly #times: SegmentTimes
  readonly #text: string
  /** Offset of each run's element in the text. */
  readonly #offsets: readonly number[]

  constructor(times: SegmentTimes) {
    const offsets: number[] = []
    let text = ''
    for (const [run, ticks] of times.runTicks.entries()) {
      offsets.push(text.length)
      text += element(ticks, (times.runFirst[run + 1] ?? times.count) - (times.runFirst[run] ?? 0))
    }
    offsets.push(text.length)
    this.#times = times
    this.#text = text
    this.#offsets = offsets
  }

  /**
   * Returns the S elements of the segments `[from, to)`. The first S element states the time at which segment `from`
   * begins.
   */
  slice(from: number, to: number): string {
    const times = this.#times
    const firstRun = times.runOf(from)
    const lastRun = times.runOf(to - 1)
    const start = times.startTicks(from)
    if (firstRun === lastRun) return element(times.runTicks[firstRun] ?? 0, to - from, start)
    const first = element(times.runTicks[firstRun] ?? 0, (times.runFirst[firstRun + 1] ?? 0) - from, start)
    const last = element(times.runTicks[lastRun] ?? 0, to - (times.runFirst[lastRun] ?? 0))
    return first + this.#text.slice(this.#offsets[firstRun + 1], this.#offsets[lastRun]) + last
  }
}

function element(ticks: number, count: number, start?: number): string {
  const time = start === undefined ? '' : ` t="${start}"`
  return count > 1 ? `<S${time} d="${ticks}" r="${count - 1}"/>` : `<S${time} d="${ticks}"/>`
}

const timelines = new WeakMap<SegmentTimes, TimelineText>()

function timelineOf(times: SegmentTimes): TimelineText {
  let text = timelines.get(times)
  if (!text) timelines.set(times, (text = new TimelineText(times)))
  return text
}

function frameRate(rate: number): string {
  if (Number.isInteger(rate)) return String(rate)
  // 23.976 and similar rates are multiples of 1000/1001.
  const whole = Math.round(rate)
  const ntsc = Math.abs(rate - (whole * 1000) / 1001) < 0.01
  return ntsc ? `${whole * 1000}/1001` : `${Math.round(rate * 1000)}/1000`
}

/** Formats milliseconds as an ISO 8601 duration. */
function duration(milliseconds: number): string {
  return `PT${milliseconds / 1000}S`
}

function uuid(hex: string): string {
  const digits = hex.replaceAll('-', '').toLowerCase()
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join('-')
}

/**
 * Escapes text for XML. Replaces control characters and lone surrogates, because XML forbids nearly all of them even as
 * references (XML 1.0 section 2.2).
 */
function escape(text: string): string {
  // Nearly all texts are the service's own addresses, and this check is cheaper than replacing.
  if (/^[\w/.:?=%~-]*$/.test(text)) return text
  return escapeUTF8(text.toWellFormed().replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, ' '))
}
