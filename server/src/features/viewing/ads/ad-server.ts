import { VASTClient } from '@dailymotion/vast-client'
import VMAP from '@dailymotion/vmap'
import { DOMParser } from '@xmldom/xmldom'
import * as z from 'zod'
import { OutboundError } from '../../../outbound/fetch-outside.ts'
import type { Trackers } from './ads.table.ts'
import { type Exceptions, isOwn, openAd } from './own-ads.ts'

/** An advertisement that the ad server returned. */
export interface NamedAd {
  /** Address of the video. */
  address: string
  skipAfter: number | null
  clickUrl: string | null
  trackers: Trackers
  /** Trackers of the event `progress`, with the offset of VAST 4: `5` in seconds, or `25%` of the duration. */
  progress: [offset: string, trackers: string[]][]
  /** Addresses that are called if the advertisement cannot be shown (VAST 4, `Error`). */
  errorTrackers: string[]
}

/**
 * A break that the ad server returned. The offset is `start`, `end`, `hh:mm:ss.mmm`, a percentage, or `#2` for the
 * second chapter.
 */
export interface NamedBreak {
  offset: string
  ads: NamedAd[]
  /** Stand-alone advertisements that may replace those whose video is not ready. */
  alternatives: NamedAd[]
  /** Trackers that are called when the break starts and when it ends (VMAP 1.0, `TrackingEvents`). */
  trackers: { start: string[]; end: string[] }
}

export interface AdServerOptions extends Exceptions {
  maxMilliseconds: number
  /** The library's folder. It may contain documents and videos of advertisements. */
  libraryFolder: string
  /** Fills the macros of an address (VAST 4, section 6). */
  fill(address: string): string
  /** Fills the macros of a link to an advertiser's page. */
  fillLink(address: string): string
  /** Called with the error of a break that cannot be used. The other breaks stay. */
  onLostBreak(error: unknown): void
  /**
   * Called with the error trackers of an advertisement or a document that cannot be used, and an error code of
   * VAST 4; for the source of a break, with an error code of VMAP 1.0.
   */
  onUnusable(errorTrackers: string[], errorCode: number): void
}

/** Maximum size of a document, in bytes. */
const MAX_BYTES = 256 * 1024
/**
 * Maximum number of documents that are fetched for a film. A document may refer to hundreds of wrappers, and each
 * wrapper to hundreds more.
 */
const MOST_DOCUMENTS = 60
/** Maximum number of nested wrappers around an advertisement. Stops wrappers that refer to each other. */
const MAX_WRAPPERS = 5
/** Maximum number of breaks, of advertisements in a break, and of trackers for an event. */
const MOST_BREAKS = 20
const MOST_ADS = 10
const MOST_TRACKERS = 20
/**
 * Longest address of a link or a tracker, in characters. The limit matters because every manifest of a live channel
 * repeats the links.
 */
const LONGEST_ADDRESS = 4000

/**
 * Asks an ad server for the breaks of a film. A VAST document is one break before the film. A VMAP document can
 * have several breaks (VAST 4, VMAP 1.0). All documents together must arrive within `maxMilliseconds`. Only a
 * document in the library may refer to files in the library.
 *
 * @throws Error if the server does not answer in time, or if the answer is neither VAST nor VMAP. OutboundError
 * for refused addresses
 */
export async function askAdServer(address: string, options: AdServerOptions): Promise<NamedBreak[]> {
  const deadline = AbortSignal.timeout(options.maxMilliseconds)
  /** Library files to which documents in the library refer. Documents of other servers cannot add files. */
  const own = new Set<string>()
  const accepts = (url: string) => isWeb(url) || own.has(url)
  let documents = 0
  const read = async (url: string) => {
    if (url !== address && !accepts(url))
      throw new Error('A document refers to an address that is not fetched.')
    if (++documents > MOST_DOCUMENTS) throw new Error('The ad server refers to too many documents.')
    const filled = isOwn(url) ? url : options.fill(url)
    const document = await readDocument(filled, { ...options, signal: deadline })
    if (isOwn(url)) for (const named of ownAddresses(document, url)) own.add(named)
    return document
  }
  const sources = { read, accepts, fillLink: options.fillLink, onUnusable: options.onUnusable }
  const root = await read(address)
  if (root.documentElement?.localName !== 'VMAP') {
    const trackers = { start: [], end: [] }
    return [{ offset: 'start', trackers, ...(await readVast(root, address, sources)) }]
  }
  const breaks = await Promise.all(
    new VMAP(root).adBreaks.slice(0, MOST_BREAKS).map(async (adBreak) => {
      const { timeOffset, breakType, adSource } = adBreak
      if (!adSource || !isLinear(breakType)) return []
      const { adTagURI, vastAdData } = adSource
      try {
        const named = adTagURI
          ? await readVast(await read(adTagURI.uri), adTagURI.uri, sources)
          : await readVast({ documentElement: vastAdData }, address, sources)
        const trackers = {
          start: breakTrackers(adBreak, 'breakStart'),
          end: breakTrackers(adBreak, 'breakEnd'),
        }
        return [{ offset: timeOffset, trackers, ...named }]
      } catch (error) {
        options.onLostBreak(error)
        options.onUnusable(breakTrackers(adBreak, 'error'), sourceErrorCode(error, deadline))
        return []
      }
    }),
  )
  return breaks.flat()
}

/** Returns the trackers of an event of a break. VMAP 1.0 writes the macro of the error code as `[ERROR_CODE]`. */
function breakTrackers(
  { trackingEvents }: Pick<VMAP['adBreaks'][number], 'trackingEvents'>,
  wanted: 'breakStart' | 'breakEnd' | 'error',
): string[] {
  const called = trackingEvents.filter(({ event }) => event === wanted)
  return usable(called.map(({ uri }) => uri.replaceAll('[ERROR_CODE]', '[ERRORCODE]')))
}

/** Error codes of VMAP 1.0 (2.5) for the source of a break. */
const SOURCE_ERROR = { unreadable: 1006, late: 1007, unreachable: 1008 }

function sourceErrorCode(error: unknown, deadline: AbortSignal): number {
  if (deadline.aborted) return SOURCE_ERROR.late
  return error instanceof OutboundError ? SOURCE_ERROR.unreachable : SOURCE_ERROR.unreadable
}

/** @param breakType null if the attribute is missing. The VMAP library does not validate documents */
function isLinear(breakType: string | null): boolean {
  return breakType?.split(',').includes('linear') === true
}

async function readDocument(url: string, options: AdServerOptions & { signal: AbortSignal }) {
  const body = await openAd(url, { ...options, maxBytes: MAX_BYTES })
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  if (isCostly(text)) throw new Error('The ad server’s document has too many namespaces or attributes.')
  // The parser resolves neither external entities nor entities that the document declares.
  const parser = new DOMParser({
    errorHandler: (level, message) => {
      if (level !== 'warning') throw new Error(`The ad server's document is not XML: ${message}`)
    },
  })
  return parser.parseFromString(text, 'text/xml')
}

/**
 * Maximum number of namespace declarations in a document. The parser takes quadratic time for nested declarations.
 */
const MOST_NAMESPACES = 200
/** Longest tag, in characters. The parser takes quadratic time for the attributes of a tag. */
const LONGEST_TAG = 20_000

/** Returns whether a document would keep the parser, and with it the whole process, busy for seconds. */
function isCostly(text: string): boolean {
  let namespaces = 0
  for (const _ of text.matchAll(/\sxmlns[:=]/g)) if (++namespaces > MOST_NAMESPACES) return true
  return new RegExp(`<[a-z_][^<>]{${LONGEST_TAG}}`, 'i').test(text)
}

/**
 * Returns the library files to which a document in the library refers, by full address or relative to the
 * document.
 */
function ownAddresses(document: Document, url: string): string[] {
  const folder = url.slice(0, url.lastIndexOf('/'))
  return ['AdTagURI', 'VASTAdTagURI', 'MediaFile']
    .flatMap((name) => Array.from(document.getElementsByTagNameNS('*', name)))
    .map(({ textContent }) => textContent?.trim() ?? '')
    .flatMap((named) => [named, `${folder}/${named}`])
    .filter((named) => isOwn(named))
}

const addresses = z.array(z.object({ url: z.string() }).transform(({ url }) => url))
const linear = z.object({
  type: z.literal('linear'),
  skipDelay: z.number().min(0).nullable().catch(null),
  mediaFiles: z.array(
    z.object({
      fileURL: z.string().nullable(),
      mimeType: z.string().nullable(),
      deliveryType: z.string(),
      height: z.number(),
      bitrate: z.number(),
    }),
  ),
  videoClickThroughURLTemplate: z.object({ url: z.string() }).nullable(),
  videoClickTrackingURLTemplates: addresses,
  trackingEvents: z.record(z.string(), z.array(z.string())),
})
const response = z.object({
  ads: z.array(
    z.object({
      /** Place in a pod; null for a stand-alone advertisement. */
      sequence: z.union([z.null(), z.coerce.number()]).catch(null),
      impressionURLTemplates: addresses,
      errorURLTemplates: z.array(z.string()),
      /** Set by vast-client for an advertisement of a pod that cannot be used and whose error it has reported. */
      hasFailed: z.boolean().optional(),
      creatives: z.array(z.unknown()),
    }),
  ),
})

interface Sources extends Pick<AdServerOptions, 'fillLink' | 'onUnusable'> {
  read: (url: string) => Promise<unknown>
  accepts: (url: string) => boolean
}

/**
 * Returns the advertisements of a VAST document to show: the advertisements of its pod in the order of their sequence
 * numbers. Without a pod, returns the first stand-alone advertisement. Stand-alone advertisements replace
 * advertisements without a usable video (VAST 4, 2.3.1 and 3.3.1).
 */
async function readVast(
  document: unknown,
  url: string,
  sources: Sources,
): Promise<Pick<NamedBreak, 'ads' | 'alternatives'>> {
  const { read, onUnusable } = sources
  const client = new VASTClient()
  const reported = new Set<string>()
  // Replaces vast-client's own method, which needs a `window`. vast-client calls the method for the documents without
  // an advertisement, and for the advertisements that it removes from the response.
  client.getParser().trackVastError = (templates, error) => {
    const fresh = new Set(usable(errorTemplates.parse(templates)).filter((each) => !reported.has(each)))
    const called = [...fresh].slice(0, MOST_ERROR_TRACKERS - reported.size)
    for (const each of called) reported.add(each)
    if (called.length > 0) onUnusable(called, vastError.parse(error).ERRORCODE)
  }
  const parsed: unknown = await client.parseVAST(document, {
    url,
    resolveAll: true,
    // Without this option, the parser removes an advertisement from its pod when the advertisement's wrapper fails. No
    // other advertisement would then replace it.
    keepFailedAdPod: true,
    // vast-client refuses the wrapper at this depth.
    wrapperLimit: MAX_WRAPPERS + 1,
    // Replaces the default handler of vast-client. At a timeout, the default handler throws outside of any
    // promise, which would end the process.
    urlHandler: {
      get: async (wrapped: string) => {
        try {
          return { xml: await read(wrapped), statusCode: 200, details: {} }
        } catch (error) {
          return { error, statusCode: null }
        }
      },
    },
  })
  const { ads } = response.parse(parsed)
  const usableAds = (wanted: ParsedAd[]) =>
    wanted.map((ad) => {
      const named = namedAd(ad, sources)
      if (named === undefined && ad.hasFailed !== true)
        onUnusable(usable(ad.errorURLTemplates), NO_USABLE_FILE)
      return named
    })
  const pod = ads
    .filter(({ sequence }) => sequence !== null)
    .toSorted((one, other) => Number(one.sequence) - Number(other.sequence))
    .slice(0, MOST_ADS)
  const alternatives = usableAds(ads.filter(({ sequence }) => sequence === null).slice(0, MOST_ADS)).filter(
    (named) => named !== undefined,
  )
  const places = pod.length === 0 ? [alternatives.shift()] : usableAds(pod)
  return {
    ads: places.map((named) => named ?? alternatives.shift()).filter((named) => named !== undefined),
    alternatives,
  }
}

/** Maximum number of error trackers that are called for a document and its wrappers. */
const MOST_ERROR_TRACKERS = 100
/** The arguments with which vast-client reports an error. */
const errorTemplates = z.array(z.string())
const vastError = z.object({ ERRORCODE: z.number() })

/** Error code of VAST 4 (2.3.6.3): no video that can be used. */
const NO_USABLE_FILE = 403

type ParsedAd = z.infer<typeof response>['ads'][number]

/** Returns an advertisement with its first usable video; undefined without one. */
function namedAd(
  { creatives, impressionURLTemplates, errorURLTemplates }: ParsedAd,
  { accepts, fillLink }: Pick<Sources, 'accepts' | 'fillLink'>,
): NamedAd | undefined {
  const creative = creatives.map((each) => linear.safeParse(each)).find(({ success }) => success)?.data
  const address = creative && bestFile(creative.mediaFiles, accepts)
  if (!creative || address === undefined) return undefined
  const { trackingEvents, videoClickThroughURLTemplate: click } = creative
  const of = (event: string) => trackingEvents[event] ?? []
  const link = click && isWeb(click.url, LINK_SCHEME) ? fillLink(click.url) : null
  return {
    address,
    skipAfter: creative.skipDelay,
    clickUrl: link !== null && isWeb(link, LINK_SCHEME) ? link : null,
    trackers: {
      start: usable([...impressionURLTemplates, ...of('creativeView'), ...of('start')]),
      firstQuartile: usable(of('firstQuartile')),
      midpoint: usable(of('midpoint')),
      thirdQuartile: usable(of('thirdQuartile')),
      complete: usable(of('complete')),
      skip: usable(of('skip')),
      click: usable(creative.videoClickTrackingURLTemplates),
    },
    progress: Object.entries(trackingEvents).flatMap(([event, called]): NamedAd['progress'] => {
      const offset = PROGRESS.exec(event)?.[1]
      return offset === undefined ? [] : [[offset, usable(called)]]
    }),
    errorTrackers: usable(errorURLTemplates),
  }
}

/** Scheme of links to advertisers' pages. */
const LINK_SCHEME = /^https:/i

/** Name of vast-client for the event `progress`, with its offset. An offset that is not a time has another name. */
const PROGRESS = /^progress-(\d+(?:\.\d+)?%?)$/

/**
 * Returns the address of the tallest MP4 file among the files of at most 1080 lines; if all files are taller, of
 * the tallest file. Undefined if no file can be fetched.
 */
function bestFile(
  files: z.infer<typeof linear>['mediaFiles'],
  accepts: (url: string) => boolean,
): string | undefined {
  const playable = files.filter(
    ({ fileURL, mimeType, deliveryType }) =>
      fileURL !== null && accepts(fileURL) && mimeType === 'video/mp4' && deliveryType === 'progressive',
  )
  const [best] = playable.toSorted(
    (one, other) =>
      Number(one.height > 1080) - Number(other.height > 1080) ||
      other.height - one.height ||
      other.bitrate - one.bitrate,
  )
  return best?.fileURL ?? undefined
}

function usable(all: readonly string[]): string[] {
  return all.filter((address) => isWeb(address)).slice(0, MOST_TRACKERS)
}

/**
 * Returns whether an address may be shown as a link or called: a web address, not a script or a file. Rejects
 * control characters and lone surrogates, because PostgreSQL can store neither NUL nor lone surrogates.
 */
function isWeb(address: string, scheme = /^https?:/i): boolean {
  return (
    address.length <= LONGEST_ADDRESS &&
    scheme.test(address) &&
    !/[\p{Cc}\p{Cs}]/u.test(address) &&
    URL.canParse(address.replaceAll(/\[\w+\]/g, '0'))
  )
}
