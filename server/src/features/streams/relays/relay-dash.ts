import { escapeUTF8 } from 'entities/escape'
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { isPlain, isWeb, type Leading, through } from './relay-manifests.ts'

/** Reason why a manifest cannot be relayed. */
export class ManifestError extends Error {
  override name = 'ManifestError'
}

/**
 * Allowed elements (ISO/IEC 23009-1). Excluded are links to other services of a provider (Location, Metrics,
 * ContentSteering …), messages of its applications (EventStream), and parameters of addresses (UrlQueryInfo).
 */
const ELEMENTS = new Set(
  `MPD Period BaseURL AdaptationSet ContentComponent Representation SubRepresentation SegmentBase SegmentList
  SegmentTemplate SegmentTimeline S Pattern P Initialization RepresentationIndex BitstreamSwitching SegmentURL
  FailoverContent FCS InbandEventStream AssetIdentifier Label GroupLabel Role Accessibility Rating Viewpoint FramePacking
  AudioChannelConfiguration ContentProtection EssentialProperty SupplementalProperty Switching RandomAccess
  ProducerReferenceTime UTCTiming ServiceDescription Scope Latency PlaybackRate OperatingQuality OperatingBandwidth Subset
  Preselection EmptyAdaptationSet Resync`.split(/\s+/),
)

/** Attributes that contain an address. `bitstreamSwitching` is an address in a template, and a boolean elsewhere. */
const ADDRESSES = new Set(['media', 'initialization', 'sourceURL', 'index', 'bitstreamSwitching'])

/** Attributes that only content steering uses. */
const LEFT_OUT = new Set(['serviceLocation'])

/** Scheme ids of standards that look like addresses. */
const SCHEME =
  /^https?:\/\/(?:[\w-]+\.)*(?:3gpp|aomedia|dashif|dolby|dts|scte|w3)\.(?:com|org)\/[\w./:+-]*(?:#\w+)?$/

const DASH = /^(?:urn:mpeg:dash:schema:mpd:\d+)?$/i
const COMMON_ENCRYPTION = 'urn:mpeg:cenc:2013'
const XLINK = 'http://www.w3.org/1999/xlink'

/** Clock of this service, for players. */
const OWN_TIME = '<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="/time"></UTCTiming>'

/**
 * Matches bare ampersands, which are common in addresses and which players accept. Also matches whole comments and
 * CDATA sections, in which ampersands are ordinary characters. An unclosed comment or CDATA section extends to the
 * end of the text, so that the search for its end never takes quadratic time.
 */
const BARE_AMPERSAND =
  /<!--.*?(?:-->|$)|<!\[CDATA\[.*?(?:\]\]>|$)|&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos);)/gis

/** Open element. */
interface Open {
  name: string
  /** Address at the provider to which addresses inside the element are relative. */
  base: string
  /** Whether the first BaseURL of the element has been read. */
  isBased: boolean
  text: string
  attributes: string
}

/**
 * Rewrites a DASH manifest from a closed list of elements, so that every address leads through this service's
 * origin. A BaseURL for relative addresses is inserted at the beginning of the manifest, absolute addresses are
 * rewritten, and queries are sealed. Removes attributes that look like an address but should not contain one. Also
 * removes elements that another document would replace (XLink).
 *
 * @param base address of the manifest
 * @throws {ManifestError} when the manifest is not well-formed
 */
export function rewriteDash(text: string, base: string, leading: Leading): string {
  const parser = new SaxesParser({ xmlns: true, resolvePrefix: namespaceOfUnbound })
  const written: string[] = []
  const open: Open[] = []
  /** Number of open elements that are being removed: the outermost one and its open descendants. */
  let outside = 0
  /** Position in the output where the first BaseURL is inserted. */
  let head = 0
  let hasTime = false

  parser.on('error', (error) => {
    throw new ManifestError(error.message)
  })
  parser.on('opentag', (tag) => {
    if (open.length === 0 && (tag.local !== 'MPD' || !DASH.test(tag.uri)))
      throw new ManifestError('It is not an MPD.')
    if (outside > 0 || !isKept(tag, open.at(-1)?.name)) {
      outside++
      return
    }
    const around = open.at(-1)
    const element = {
      name: tag.local,
      base: around?.base ?? base,
      isBased: false,
      text: '',
      attributes: attributesOf(tag, around?.base ?? base, leading),
    }
    open.push(element)
    // The output of these elements depends on their text, so they are written when they close.
    if (holdsText(element.name)) return
    if (element.name === 'UTCTiming') {
      if (!hasTime) written.push(OWN_TIME)
      hasTime = true
      return
    }
    written.push(`<${element.name}${around === undefined ? namespaceOf(tag) : ''}${element.attributes}>`)
    if (around === undefined) head = written.push('') - 1
  })
  const addText = (more: string): void => {
    const element = open.at(-1)
    if (outside === 0 && element && holdsText(element.name)) element.text += more
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    if (outside > 0) {
      outside--
      return
    }
    const element = open.pop()
    const around = open.at(-1)
    if (element === undefined || element.name === 'UTCTiming') return
    if (element.name === 'BaseURL' && around) takeBase(element, around, open.at(-2)?.base ?? base)
    else if (!holdsText(element.name)) written.push(`</${element.name}>`)
    else if (isPlain(element.text, base))
      written.push(`<${element.name}${element.attributes}>${escapeUTF8(element.text)}</${element.name}>`)
  })

  /**
   * @param around the element that contains the BaseURL
   * @param outer the address to which the BaseURL is relative: the base of the parent of `around`
   */
  function takeBase({ text, attributes }: Open, around: Open, outer: string): void {
    const url = URL.parse(text.trim(), outer)
    const ofManifest = open.length === 1
    // Ignores a base that is not an http or https address.
    if (!isWeb(url)) return
    const address = ofManifest ? leading.address(new URL('.', url).href) : reference(text, outer, leading)
    if (address === undefined) return
    const element = `<BaseURL${attributes}>${escapeUTF8(address)}</BaseURL>`
    const isFirst = !around.isBased
    if (isFirst) {
      around.isBased = true
      around.base = url.href
    }
    if (isFirst && ofManifest) written[head] = element
    else written.push(element)
  }

  parser.write(text.replaceAll(BARE_AMPERSAND, (found) => (found === '&' ? '&amp;' : found))).close()
  if (written[head] === '')
    written[head] = `<BaseURL>${escapeUTF8(leading.address(new URL('.', base).href))}</BaseURL>`
  return written.join('')
}

function isKept({ local, uri, attributes }: SaxesTagNS, around: string | undefined): boolean {
  if (!DASH.test(uri) || !ELEMENTS.has(local)) return false
  // Viewers do not use the provider's licences, so all elements inside ContentProtection are removed.
  if (around === 'ContentProtection') return false
  return !Object.values(attributes).some((each) => each.local === 'href' && each.uri === XLINK)
}

function holdsText(name: string): boolean {
  return name === 'BaseURL' || name === 'Label' || name === 'GroupLabel'
}

/** Returns a namespace for an undeclared prefix. Some packagers write such prefixes, and players accept them. */
function namespaceOfUnbound(prefix: string): string {
  return prefix === '' ? '' : `urn:unbound:${prefix}`
}

function namespaceOf({ uri }: SaxesTagNS): string {
  return uri === '' ? '' : ` xmlns="${escapeUTF8(uri)}"`
}

function attributesOf({ attributes }: SaxesTagNS, base: string, leading: Leading): string {
  const all = Object.values(attributes)
  const keyId = all.find(({ local, uri }) => local === 'default_KID' && uri === COMMON_ENCRYPTION)
  const written = keyId ? [` xmlns:cenc="${COMMON_ENCRYPTION}"`] : []
  for (const { prefix, local, value } of all) {
    if (prefix !== '' || local === 'xmlns' || LEFT_OUT.has(local)) continue
    const kept = ADDRESSES.has(local) ? reference(value, base, leading) : plainPart(local, value, base)
    if (kept !== undefined) written.push(` ${local}="${escapeUTF8(kept)}"`)
  }
  if (keyId && isPlain(keyId.value, base)) written.push(` cenc:default_KID="${escapeUTF8(keyId.value)}"`)
  return written.join('')
}

/** Returns an attribute's value without addresses of the provider; undefined if nothing remains. */
function plainPart(name: string, value: string, base: string): string | undefined {
  if (name !== 'profiles' && name !== 'schemeIdUri') return isPlain(value, base) ? value : undefined
  const { hostname } = new URL(base)
  const kept = value
    .split(',')
    .map((each) => each.trim())
    .filter((each) =>
      /^(?:urn|tag):/i.test(each) ? isPlain(each, base) : SCHEME.test(each) && !each.includes(hostname),
    )
  return kept.length === 0 ? undefined : kept.join(',')
}

/**
 * Rewrites an address of a manifest. An address inside the folder of `base` stays relative, because it may be a
 * template that a player fills in. `takeBase` rewrites the base itself.
 */
function reference(written: string, base: string, leading: Leading): string | undefined {
  // URL parsers ignore tabs and line breaks anywhere in an address.
  const address = written.replaceAll(/[\t\n\r]/g, '').trim()
  const [path = ''] = address.split(/[?#]/, 1)
  const isWhole = /^[a-z][a-z0-9+.-]*:/i.test(path)
  const folder = new URL('.', base).href
  const isInside = URL.parse(address, base)?.href.startsWith(folder) === true
  if (isWhole || !isInside || /^[/\\]|[/\\]{2}/.test(path)) return through(address, base, leading)
  const [, query = ''] = /^[^?#]*(\?[^#]*)?/.exec(address) ?? []
  return path + (query === '' ? '' : leading.query(query))
}
