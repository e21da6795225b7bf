import { createServer, type Server, type ServerResponse } from 'node:http'
import { closeServer, listenLocally } from './local-server.ts'

/** An ad server on loopback, with documents by path. A path without a document gets 404. */
export class FakeAdServer {
  readonly #server: Server
  readonly documents = new Map<string, string | Buffer>()
  /** HTTP statuses of answers without a document, by path; 404 by default. */
  readonly statuses = new Map<string, number>()
  /** Received requests: paths with queries. */
  readonly requests: string[] = []
  /** Paths that get no answer. */
  readonly silent = new Set<string>()
  readonly #unanswered: { path: string; response: ServerResponse }[] = []
  base = ''

  constructor() {
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? '', this.base)
      this.requests.push(request.url ?? '')
      if (this.silent.has(url.pathname)) this.#unanswered.push({ path: url.pathname, response })
      else this.#answer(url.pathname, response)
    })
  }

  async start(): Promise<void> {
    this.base = await listenLocally(this.#server)
  }

  async stop(): Promise<void> {
    await closeServer(this.#server)
  }

  /** Answers all outstanding requests, and every request from now on. */
  speak(): void {
    this.silent.clear()
    for (const { path, response } of this.#unanswered.splice(0)) this.#answer(path, response)
  }

  #answer(path: string, response: ServerResponse): void {
    const document = this.documents.get(path)
    response.writeHead(document === undefined ? (this.statuses.get(path) ?? 404) : 200, {
      'content-type': 'application/xml',
    })
    response.end(document ?? '')
  }

  /** Returns how often a path was requested. */
  hits(path: string): number {
    return this.requests.filter((request) => request.split('?')[0] === path).length
  }
}

/** An advertisement in a document of {@link vast}. */
export interface VastAd {
  video: string
  skipOffset?: string
  click?: string
  /** Prefix of the tracker addresses. The name of the event follows it. */
  trackers?: string
  /** Offsets of events `progress`. The addresses of their trackers end in `progress/`, the place here. */
  progress?: readonly string[]
  /** Place in a pod. By default, several advertisements are a pod in their order; null makes one stand-alone. */
  sequence?: number | null
}

const EVENTS = ['creativeView', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete', 'skip']

/** Writes a VAST 4.2 document. */
export function vast(...ads: VastAd[]): string {
  return `<VAST version="4.2">${ads.map((ad, index) => inline(ad, index + 1, ads.length > 1)).join('')}</VAST>`
}

function inline(
  { video, skipOffset, click, trackers, progress = [], sequence: place }: VastAd,
  id: number,
  isOfPod: boolean,
): string {
  // Only an advertisement of a pod gets a sequence: wrappers accept advertisements without one (`allowMultipleAds`
  // of VAST 4).
  const number = place === undefined && isOfPod ? id : place
  const sequence = number == null ? '' : ` sequence="${number}"`
  const skip = skipOffset === undefined ? '' : ` skipoffset="${skipOffset}"`
  const events = EVENTS.map(
    (event) => `<Tracking event="${event}"><![CDATA[${trackers}/${event}]]></Tracking>`,
  )
    .concat(
      progress.map(
        (offset, index) =>
          `<Tracking event="progress" offset="${offset}"><![CDATA[${trackers}/progress/${index}]]></Tracking>`,
      ),
    )
    .join('')
  const clicks =
    (click === undefined ? '' : `<ClickThrough><![CDATA[${click}]]></ClickThrough>`) +
    (trackers === undefined ? '' : `<ClickTracking><![CDATA[${trackers}/click]]></ClickTracking>`)
  return (
    `<Ad id="${id}"${sequence}><InLine><AdSystem>Test</AdSystem><AdTitle>Test</AdTitle>` +
    (trackers === undefined
      ? ''
      : `<Error><![CDATA[${trackers}/error/[ERRORCODE]]]></Error><Impression><![CDATA[${trackers}/impression]]></Impression>`) +
    `<Creatives><Creative><Linear${skip}><Duration>00:00:08</Duration>` +
    (trackers === undefined ? '' : `<TrackingEvents>${events}</TrackingEvents>`) +
    `<VideoClicks>${clicks}</VideoClicks><MediaFiles>` +
    `<MediaFile delivery="streaming" type="application/x-mpegURL" width="1" height="1"><![CDATA[${video}.m3u8]]></MediaFile>` +
    `<MediaFile delivery="progressive" type="video/mp4" width="640" height="360" bitrate="500"><![CDATA[${video}]]></MediaFile>` +
    `</MediaFiles></Linear></Creative></Creatives></InLine></Ad>`
  )
}

/**
 * Writes a VAST document (a wrapper) that refers to another VAST document.
 *
 * @param error address of the wrapper's error tracker
 */
export function wrapper(address: string, error?: string): string {
  return (
    `<VAST version="4.2"><Ad id="1"><Wrapper><AdSystem>Test</AdSystem>` +
    (error === undefined ? '' : `<Error><![CDATA[${error}]]></Error>`) +
    `<VASTAdTagURI><![CDATA[${address}]]></VASTAdTagURI></Wrapper></Ad></VAST>`
  )
}

/**
 * Writes a VMAP 1.0 document with a break at each offset. The value of an offset is an address or a VAST document.
 *
 * @param trackers prefix of the addresses of the breaks' trackers. The name of the event follows it
 */
export function vmap(breaks: Record<string, string>, trackers?: string): string {
  const events = ['breakStart', 'breakEnd', 'error/[ERROR_CODE]'].map(
    (event) =>
      `<vmap:Tracking event="${event.split('/')[0]}"><![CDATA[${trackers}/${event}]]></vmap:Tracking>`,
  )
  const tracking =
    trackers === undefined ? '' : `<vmap:TrackingEvents>${events.join('')}</vmap:TrackingEvents>`
  const sources = Object.entries(breaks).map(([offset, source]) => {
    const data = source.startsWith('<')
      ? `<vmap:VASTAdData>${source}</vmap:VASTAdData>`
      : `<vmap:AdTagURI templateType="vast4"><![CDATA[${source}]]></vmap:AdTagURI>`
    return `<vmap:AdBreak timeOffset="${offset}" breakType="linear"><vmap:AdSource>${data}</vmap:AdSource>${tracking}</vmap:AdBreak>`
  })
  return `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">${sources.join('')}</vmap:VMAP>`
}
