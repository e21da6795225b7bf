import { isPlain, type Leading, through } from './relay-manifests.ts'

/** Tags without a value (RFC 8216bis, 4.4). */
const FLAGS = new Set([
  'EXT-X-INDEPENDENT-SEGMENTS',
  'EXT-X-ENDLIST',
  'EXT-X-I-FRAMES-ONLY',
  'EXT-X-IMAGES-ONLY',
  'EXT-X-DISCONTINUITY',
  'EXT-X-GAP',
])

/** Tags with one plain value, and the pattern of the value. */
const PLAIN_TAGS = new Map([
  ['EXT-X-VERSION', /^\d+/],
  ['EXT-X-TARGETDURATION', /^\d+(\.\d+)?/],
  ['EXT-X-MEDIA-SEQUENCE', /^\d+/],
  ['EXT-X-DISCONTINUITY-SEQUENCE', /^\d+/],
  ['EXT-X-PLAYLIST-TYPE', /^(EVENT|VOD)/],
  ['EXT-X-BYTERANGE', /^\d+(@\d+)?/],
  ['EXT-X-PROGRAM-DATE-TIME', /^[\d:.TZ+-]+/],
  ['EXT-X-BITRATE', /^\d+/],
])

/** Tags with a list of attributes, and whether they need an address. */
const LISTS = new Map([
  ['EXT-X-START', false],
  ['EXT-X-PART-INF', false],
  ['EXT-X-SERVER-CONTROL', false],
  ['EXT-X-STREAM-INF', false],
  ['EXT-X-SKIP', false],
  ['EXT-X-TILES', false],
  // The next two tags may lack an address: for subtitles inside the video, audio inside the main stream, and the
  // end of encryption.
  ['EXT-X-MEDIA', false],
  ['EXT-X-KEY', false],
  ['EXT-X-MAP', true],
  ['EXT-X-PART', true],
  ['EXT-X-PRELOAD-HINT', true],
  ['EXT-X-RENDITION-REPORT', true],
  ['EXT-X-I-FRAME-STREAM-INF', true],
  ['EXT-X-IMAGE-STREAM-INF', true],
])

const ATTRIBUTES = new Set(
  `ASSOC-LANGUAGE AUDIO AUTOSELECT AVERAGE-BANDWIDTH BANDWIDTH BIT-DEPTH BYTERANGE BYTERANGE-LENGTH BYTERANGE-START
  CAN-BLOCK-RELOAD CAN-SKIP-UNTIL CHANNELS CHARACTERISTICS CLOSED-CAPTIONS CODECS DEFAULT DURATION FORCED FRAME-RATE GAP
  GROUP-ID HDCP-LEVEL HOLD-BACK INDEPENDENT INSTREAM-ID IV KEYFORMAT KEYFORMATVERSIONS LANGUAGE LAST-MSN LAST-PART LAYOUT
  METHOD NAME PART-HOLD-BACK PART-TARGET PRECISE PROGRAM-ID REQ-VIDEO-LAYOUT RESOLUTION SAMPLE-RATE SCORE
  SKIPPED-SEGMENTS STABLE-RENDITION-ID STABLE-VARIANT-ID SUBTITLES SUPPLEMENTAL-CODECS TIME-OFFSET TYPE VIDEO
  VIDEO-RANGE`.split(/\s+/),
)

const ATTRIBUTE = /([A-Z0-9-]+)=(?:"([^"]*)"|([^",\s]*))/g

/**
 * Rewrites an HLS playlist, so that every address leads through this service's origin. Only tags and
 * attributes of a closed list are kept. Comments, advertisements of other hosts, and links to other services
 * of the provider are removed.
 *
 * @param base address of the playlist
 */
export function rewriteHls(text: string, base: string, leading: Leading): string {
  const variables = new Map<string, string>()

  function fill(value: string): string {
    return value.replaceAll(/\{\$([\w-]+)\}/g, (place, name: string) => variables.get(name) ?? place)
  }

  function define(attributes: ReadonlyMap<string, string>): void {
    const name = attributes.get('NAME')
    if (name !== undefined) variables.set(name, attributes.get('VALUE') ?? '')
    const parameter = attributes.get('QUERYPARAM')
    if (parameter !== undefined) variables.set(parameter, new URL(base).searchParams.get(parameter) ?? '')
  }

  function rewriteList(tag: string, list: string, needsAddress: boolean): string | undefined {
    let hasAddress = false
    const kept: string[] = []
    for (const [, name = '', quoted, word] of list.matchAll(ATTRIBUTE)) {
      const value = fill(quoted ?? word ?? '')
      if (name === 'URI') {
        const address = through(value, base, leading)
        // Removes the whole tag if its address cannot be relayed, for example a key address that is neither http
        // nor https.
        if (address === undefined) return undefined
        hasAddress = true
        kept.push(`URI="${address}"`)
      } else if (ATTRIBUTES.has(name) && isPlain(value, base)) {
        kept.push(quoted === undefined ? `${name}=${value}` : `${name}="${value}"`)
      }
    }
    return needsAddress && !hasAddress ? undefined : `#${tag}:${kept.join(',')}`
  }

  function rewriteTag(line: string): string | undefined {
    const [, tag = '', rest = ''] = /^#([A-Z0-9-]+):?\s*(.*)$/.exec(line) ?? []
    if (tag === 'EXTM3U' || FLAGS.has(tag)) return `#${tag}`
    // Drops the title of the segment, which is free text that no player needs.
    if (tag === 'EXTINF') return `#EXTINF:${/^-?[\d.]+/.exec(rest)?.[0] ?? 0},`
    if (tag === 'EXT-X-DEFINE') {
      define(new Map(
        [...rest.matchAll(ATTRIBUTE)].map(([, name = '', quoted, word]) => [name, quoted ?? word ?? '']),
      ))
      return undefined
    }
    const plain = PLAIN_TAGS.get(tag)?.exec(rest)?.[0]
    if (plain !== undefined) return `#${tag}:${plain}`
    const needsAddress = LISTS.get(tag)
    return needsAddress === undefined ? undefined : rewriteList(tag, rest, needsAddress)
  }

  return text
    .split(/\r\n|\n|\r/)
    .flatMap((line) => {
      const written = line.trim()
      if (written === '') return line === '' ? '' : []
      return (written.startsWith('#') ? rewriteTag(written) : through(fill(written), base, leading)) ?? []
    })
    .join('\n')
}
