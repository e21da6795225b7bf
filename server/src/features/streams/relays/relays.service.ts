import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../../http/errors.ts'
import { isTransportStream } from '../../../ingest/live/transport-stream.ts'
import { type OutboundAnswer, OutboundError } from '../../../outbound/fetch-outside.ts'
import { fetchUnpacked } from '../../../outbound/fetch-unpacked.ts'
import type { StreamSource } from '../../inventory/line-up/stream-source.ts'
import type { TokenKeys } from '../../settings/keys/keys.service.ts'
import type { ManifestFormat } from '../play-sessions/play-sessions.service.ts'
import { beginningOf } from './beginning-of.ts'
import { ManifestError, rewriteDash } from './relay-dash.ts'
import { rewriteHls } from './relay-hls.ts'
import type { Leading } from './relay-manifests.ts'
import { openQuery, sealQuery } from './relay-queries.ts'

/** Name of a relay's first manifest below its session. */
export const RELAY_ENTRANCE: Record<ManifestFormat, string> = { hls: 'main.m3u8', dash: 'manifest.mpd' }

const MANIFEST = { maxBytes: 5_000_000, maxMilliseconds: 8000 }
const MEDIA = { maxBytes: 300_000_000, maxMilliseconds: 60_000 }
/**
 * Time for which viewers of a channel share a manifest, in milliseconds. The provider gets only one request in
 * this time.
 */
const SHARED_MS = 1000
const MOST_SHARED = 500
/** Bytes of a body that are read to detect its type. */
const SNIFFED_BYTES = 4096

/** A manifest that a provider sent. */
interface Fetched {
  url: string
  text: string
  format: ManifestFormat
}

/** Answer for a viewer's player. */
export type Relayed =
  | { kind: 'manifest'; format: ManifestFormat; body: string }
  | { kind: 'media'; answer: OutboundAnswer }

/**
 * Relays channels from other providers through this service's origin. Everything is fetched through the outbound
 * check, and viewers never learn the provider's addresses. The service fetches only addresses in folders to which
 * a manifest of the channel refers.
 */
export interface Relays {
  /**
   * Fetches the channel's manifest from the provider, and returns its kind. @throws ServiceError channelSilent if
   * the provider delivers no manifest
   */
  begin(channelId: number, source: StreamSource): Promise<ManifestFormat>
  /** Returns the channel's own manifest. */
  entrance(channelId: number, token: string, source: StreamSource): Promise<Relayed>
  /**
   * Returns a file to which a manifest of the channel refers. The arguments are the sealed folder, and the path and
   * query of the file inside this folder.
   *
   * @throws ServiceError notFound, channelSilent
   */
  inside(
    channelId: number,
    token: string,
    source: StreamSource,
    sealed: string,
    leaf: string,
    range: string | undefined,
  ): Promise<Relayed>
}

export function createRelays(keys: Pick<TokenKeys, 'secretFor'>, allow: readonly string[]): Relays {
  // Derived from the key that signed the token. So the addresses of a session stay the same after a rotation of
  // the signing key.
  const sealOf = (token: string) => createSeal(keys.secretFor('relay', token))
  const shared = new LRUCache<string, Promise<Fetched>>({
    max: MOST_SHARED,
    ttl: SHARED_MS,
    // A manifest may take megabytes, so it is removed from memory when the shared time has passed.
    ttlAutopurge: true,
  })

  async function manifestAt(channelId: number, address: string, source: StreamSource): Promise<Fetched> {
    const key = `${channelId} ${address}`
    const known = shared.get(key)
    if (known) return await known
    const manifest = fetchManifest(address, source)
    shared.set(key, manifest)
    return await manifest
  }

  async function fetchManifest(address: string, source: StreamSource): Promise<Fetched> {
    const { url, body } = await fetchFrom(address, source, MANIFEST)
    return await readManifest(url, body)
  }

  async function fetchFrom(
    address: string,
    { userAgent, referrer }: StreamSource,
    bounds: typeof MANIFEST,
    range?: string,
  ): Promise<OutboundAnswer> {
    const headers = {
      ...(userAgent !== undefined && { 'user-agent': userAgent }),
      ...(referrer !== undefined && { referer: referrer }),
      ...(range !== undefined && { range }),
    }
    return await silenced(async () => await fetchUnpacked(address, { ...bounds, allow, headers }))
  }

  async function rewritten(
    channelId: number,
    token: string,
    { url, text, format }: Fetched,
  ): Promise<Relayed> {
    const seal = sealOf(token)
    const sealText = (text: string) => seal.close(channelId, text)
    const leading: Leading = {
      query: (query) => sealQuery(query, sealText),
      address: (address) => {
        const { origin, pathname, search } = new URL(address)
        // A player fills in the variables of a template, so they must stay readable, also in the name of a folder.
        const [fixed = ''] = pathname.split('$', 1)
        const folder = new URL('.', origin + fixed).href
        const leaf = (origin + pathname).slice(folder.length)
        return `/play/${token}/relay/${sealText(folder)}/${leaf}${sealQuery(search, sealText)}`
      },
    }
    const rewrite = format === 'hls' ? rewriteHls : rewriteDash
    const body = await silenced(async () => rewrite(text, url, leading))
    return { kind: 'manifest', format, body }
  }

  /**
   * Returns a segment. If the body turns out to be a manifest, returns it rewritten, regardless of its name
   * and type.
   */
  async function piece(
    channelId: number,
    token: string,
    source: StreamSource,
    address: string,
    range: string | undefined,
  ): Promise<Relayed> {
    const answer = await fetchFrom(address, source, MEDIA, range)
    const { begin, body, close } = await silenced(async () => await beginningOf(answer.body, SNIFFED_BYTES))
    const type = String(answer.headers['content-type'] ?? '')
    const isManifest = /mpegurl|dash\+xml/i.test(type) || looksLikeManifest(begin)
    // A part of a manifest cannot be recognised as a manifest, so the whole file is requested instead.
    if (range !== undefined && (isManifest || (isText(begin) && !/^(?:video|audio|image)\//i.test(type)))) {
      await close()
      return await piece(channelId, token, source, address, undefined)
    }
    if (!isManifest) return { kind: 'media', answer: { ...answer, body } }
    return await rewritten(channelId, token, await readManifest(answer.url, body))
  }

  return {
    begin: async (channelId, source) => (await manifestAt(channelId, source.address, source)).format,
    entrance: async (channelId, token, source) =>
      await rewritten(channelId, token, await manifestAt(channelId, source.address, source)),
    inside: async (channelId, token, source, sealed, leaf, range) => {
      const seal = sealOf(token)
      const folder = seal.open(channelId, sealed)
      const [path = '', asked = ''] = leaf.split('?', 2)
      const query = openQuery(asked, (text) => seal.open(channelId, text))
      const address = folder === undefined ? undefined : addressIn(folder, path, query)
      if (address === undefined) throw new ServiceError('notFound')
      const { pathname } = new URL(address)
      if (!/\.(m3u8?|mpd)$/i.test(pathname)) return await piece(channelId, token, source, address, range)
      return await rewritten(channelId, token, await manifestAt(channelId, address, source))
    },
  }
}

async function readManifest(url: string, body: AsyncIterable<Buffer>): Promise<Fetched> {
  return await silenced(async () => {
    // Only the beginning of the body is examined, because the body may be an endless stream.
    const { begin, body: whole, close } = await beginningOf(body, SNIFFED_BYTES)
    const format = formatOf(begin.toString('utf8'))
    // The content type is ignored: some sources send an error page with status 200, or a manifest as `text/html`.
    if (format === undefined) {
      await close()
      if (isTransportStream(begin))
        throw new ManifestError(
          'The address sends MPEG-TS, which cannot be relayed. `inputs add <channel> --record` receives it.',
        )
      throw new ServiceError('channelSilent')
    }
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of whole) {
      bytes += chunk.length
      if (bytes > MANIFEST.maxBytes) throw new ServiceError('channelSilent')
      chunks.push(chunk)
    }
    const text = Buffer.concat(chunks)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
    return { url, text, format }
  })
}

/** Returns the kind of a manifest by its beginning; undefined for anything else. */
export function formatOf(begin: string): ManifestFormat | undefined {
  if (/^\uFEFF?\s*#EXTM3U/.test(begin)) return 'hls'
  return /<(?:[\w.-]+:)?MPD[\s>]/.test(begin) ? 'dash' : undefined
}

/** Returns whether the body may be a manifest, or a part that another manifest includes, in UTF-8 or UTF-16. */
function looksLikeManifest(begin: Buffer): boolean {
  const text = begin
    .toString('latin1')
    .replace(/^(?:\xEF\xBB\xBF|\xFF\xFE|\xFE\xFF)/, '')
    .replaceAll('\0', '')
    .trimStart()
  return (
    text.startsWith('#EXT') ||
    (text.startsWith('<') && /<(?:[\w.-]+:)?(?:MPD|Period|AdaptationSet)[\s/>]/.test(text))
  )
}

/** Returns whether the beginning of a body is text. Every media container has control characters in its first bytes. */
function isText(begin: Buffer): boolean {
  return !begin.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d)
}

/** Returns an address below a folder; undefined if the path would leave the folder. */
function addressIn(folder: string, path: string, query: string | undefined): string | undefined {
  // A server may decode these characters after this check, and then serve a file outside the folder.
  if (query === undefined || /%2f|%5c|%2e|\\/i.test(path)) return undefined
  const url = URL.parse(path === '' ? path : `./${path}`, folder)
  if (url?.href.startsWith(folder) !== true) return undefined
  url.search = query
  return url.href
}

async function silenced<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OutboundError || error instanceof ManifestError)
      throw new ServiceError('channelSilent', null, { cause: error })
    throw error
  }
}

/** Encrypts folders for a channel. A sealed folder is unreadable, and can be opened only for the same channel. */
interface Seal {
  close(channelId: number, text: string): string
  open(channelId: number, sealed: string): string | undefined
}

const NONCE = 12
const TAG = 16

function createSeal(secret: Buffer): Seal {
  return {
    close: (channelId, text) => {
      // The nonce is derived from the text, so that equal texts give equal seals. Players recognise a segment by
      // its address.
      const nonce = createHmac('sha256', secret).update(`${channelId} ${text}`).digest().subarray(0, NONCE)
      const cipher = createCipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG }).setAAD(
        Buffer.from(String(channelId)),
      )
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open: (channelId, sealed) => {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length <= NONCE + TAG) return undefined
      try {
        const cipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, NONCE), {
          authTagLength: TAG,
        })
          .setAAD(Buffer.from(String(channelId)))
          .setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
        return Buffer.concat([cipher.update(bytes.subarray(NONCE + TAG)), cipher.final()]).toString('utf8')
      } catch {
        // The seal is forged, or belongs to another channel. The caller treats both as an unsealed query.
        return undefined
      }
    },
  }
}
