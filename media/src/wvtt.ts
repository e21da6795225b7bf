/** The position of a subtitle segment, in ticks of its rendition. */
export interface TextSegment {
  /** Number of the segment, counted from 1. */
  number: number
  startTicks: number
  durationTicks: number
  timescale: number
}

interface Cue {
  startTicks: number
  endTicks: number
  settings: string
  text: string
}

const TRACK_ID = 1

/** Returns the initialization segment of WebVTT in fragmented MP4, codec `wvtt` (ISO/IEC 14496-30, 7.5). */
export function wvttInit(timescale: number): Uint8Array {
  const movieHeader = [u32(0, 0, timescale, 0, 0x10000), u16(0x0100, 0), u32(0, 0), MATRIX, zeros(24), u32(2)]
  const trackHeader = [u32(0, 0, TRACK_ID, 0, 0, 0, 0), u16(0, 0, 0, 0), MATRIX, u32(0, 0)]
  const sampleEntry = box('wvtt', zeros(6), u16(1), box('vttC', text('WEBVTT')))
  const sampleTable = box(
    'stbl',
    fullBox('stsd', 0, u32(1), sampleEntry),
    fullBox('stts', 0, u32(0)),
    fullBox('stsc', 0, u32(0)),
    fullBox('stsz', 0, u32(0, 0)),
    fullBox('stco', 0, u32(0)),
  )
  const media = box(
    'mdia',
    fullBox('mdhd', 0, u32(0, 0, timescale, 0), u16(UNDETERMINED, 0)),
    fullBox('hdlr', 0, u32(0), text('text'), zeros(13)),
    box(
      'minf',
      fullBox('nmhd', 0),
      box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', DATA_IN_SAME_FILE))),
      sampleTable,
    ),
  )
  return concat([
    box('ftyp', text('iso6'), u32(0), text('iso6'), text('cmfc'), text('cwvt')),
    box(
      'moov',
      fullBox('mvhd', 0, ...movieHeader),
      box('trak', fullBox('tkhd', TRACK_ENABLED_IN_MOVIE, ...trackHeader), media),
      box('mvex', fullBox('trex', 0, u32(TRACK_ID, 1, 0, 0, 0))),
    ),
  ])
}

/**
 * Converts a WebVTT segment to fragmented MP4. DASH players time fragmented MP4 relative to its Period, unlike a
 * bare WebVTT file. Each sample covers a period in which the same cues are shown, so one cue may span several
 * samples.
 *
 * @param webVtt text of the segment. Its cue times are media times, as ingest writes them. Cues outside the
 * segment are dropped.
 */
export function wvttSegment(webVtt: string, segment: TextSegment): Uint8Array {
  const samples = samplesOf(readCues(webVtt, segment.timescale), segment)
  const fragment = (dataOffset: number) =>
    box(
      'moof',
      fullBox('mfhd', 0, u32(segment.number)),
      box(
        'traf',
        fullBox('tfhd', DEFAULT_BASE_IS_MOOF, u32(TRACK_ID)),
        fullBox('tfdt', VERSION_1, u64(segment.startTicks)),
        fullBox(
          'trun',
          DATA_OFFSET | SAMPLE_DURATIONS | SAMPLE_SIZES,
          u32(samples.length, dataOffset),
          ...samples.map(({ durationTicks, data }) => u32(durationTicks, data.length)),
        ),
      ),
    )
  const dataOffset = fragment(0).length + BOX_HEADER
  return concat([fragment(dataOffset), box('mdat', ...samples.map(({ data }) => data))])
}

/**
 * Parses the cues of a WebVTT file, in the order of the file (W3C WebVTT, section 4.1). Skips comments and styles.
 */
function readCues(webVtt: string, timescale: number): Cue[] {
  return webVtt
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .flatMap((block) => {
      const [, start = '', end = '', settings = '', payload = ''] =
        /^(?:[^\n]*\n)?([\d:.]+)[ \t]+-->[ \t]+([\d:.]+)(?:[ \t]+([^\n]*))?\n([^]*)$/.exec(block) ?? []
      if (payload.trim() === '') return []
      const ticks = (time: string) => Math.round((milliseconds(time) * timescale) / 1000)
      return [
        {
          startTicks: ticks(start),
          endTicks: ticks(end),
          settings: settings.trim(),
          text: payload.trimEnd(),
        },
      ]
    })
}

/** Parses `01:02:03.456` or `02:03.456`. */
function milliseconds(time: string): number {
  return Math.round(time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000)
}

function samplesOf(
  cues: readonly Cue[],
  { startTicks, durationTicks }: TextSegment,
): { durationTicks: number; data: Uint8Array }[] {
  const end = startTicks + durationTicks
  const cuts = new Set([startTicks, end])
  for (const cue of cues) {
    for (const cut of [cue.startTicks, cue.endTicks]) if (cut > startTicks && cut < end) cuts.add(cut)
  }
  const moments = [...cuts].toSorted((a, b) => a - b)
  return moments.slice(0, -1).map((from, index) => {
    const shown = cues.filter((cue) => cue.startTicks <= from && cue.endTicks > from)
    const data = shown.length === 0 ? box('vtte') : concat(shown.map(cueBox))
    return { durationTicks: (moments[index + 1] ?? end) - from, data }
  })
}

function cueBox(cue: Cue): Uint8Array {
  const settings = cue.settings === '' ? [] : [box('sttg', text(cue.settings))]
  return box('vttc', box('vsid', u32(sourceId(cue))), ...settings, box('payl', text(cue.text)))
}

/**
 * Returns the source id of a cue (31 bits of FNV-1a over the whole cue). All parts of a cue that spans several
 * samples or segments have the same id.
 */
function sourceId({ startTicks, endTicks, text: payload }: Cue): number {
  let hash = 0x811c9dc5
  for (const byte of text(`${startTicks} ${endTicks} ${payload}`)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 1
}

const BOX_HEADER = 8
/** The identity matrix (ISO/IEC 14496-12, 8.2.2). */
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
/** The language `und` as packed letters. The manifest names the actual language. */
const UNDETERMINED = 0x55c4
const TRACK_ENABLED_IN_MOVIE = 3
const DATA_IN_SAME_FILE = 1
const DEFAULT_BASE_IS_MOOF = 0x02_0000
const DATA_OFFSET = 0x1
const SAMPLE_DURATIONS = 0x100
const SAMPLE_SIZES = 0x200
const VERSION_1 = 0x0100_0000

function box(type: string, ...content: readonly Uint8Array[]): Uint8Array {
  const size = content.reduce((sum, { length }) => sum + length, BOX_HEADER)
  return concat([u32(size), text(type), ...content])
}

/** @param versionAndFlags one byte of version, three of flags */
function fullBox(type: string, versionAndFlags: number, ...content: readonly Uint8Array[]): Uint8Array {
  return box(type, u32(versionAndFlags), ...content)
}

function u16(...values: number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(values.length * 2))
  for (const [index, value] of values.entries()) bytes.setUint16(index * 2, value)
  return new Uint8Array(bytes.buffer)
}

function u32(...values: number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(values.length * 4))
  for (const [index, value] of values.entries()) bytes.setUint32(index * 4, value)
  return new Uint8Array(bytes.buffer)
}

function u64(value: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8))
  bytes.setBigUint64(0, BigInt(value))
  return new Uint8Array(bytes.buffer)
}

function zeros(count: number): Uint8Array {
  return new Uint8Array(count)
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value)
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
