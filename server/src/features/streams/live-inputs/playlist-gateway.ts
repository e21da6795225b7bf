import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { LRUCache } from 'lru-cache'
import { ServiceError } from '../../../http/errors.ts'
import { LiveSourceError } from '../../../ingest/live/source-error.ts'
import type { OpenSource } from '../../../ingest/live/source-request.ts'
import { OutboundError } from '../../../outbound/fetch-outside.ts'
import type { StreamSource } from '../../inventory/line-up/stream-source.ts'
import { withinDepth } from '../relays/relay-depth.service.ts'
import { createRelays, RELAY_ENTRANCE, type Relayed, type Relays } from '../relays/relays.service.ts'
import { DashPlaylists, isDashPlaylist } from './dash-playlists.ts'
import { oneVariant } from './one-variant.ts'

/**
 * How much of a DASH stream its playlists list, in seconds. A manifest that names its segments by a template only would
 * otherwise name all of them since 1970.
 */
const LISTED_SECONDS = 60

/** Headers of the provider that ffmpeg needs. */
const PASSED_ON = ['content-length', 'content-range'] as const

/**
 * Addresses of playlists that were received live. Once such a playlist is complete, its event has ended. ffmpeg would
 * show it again from its beginning. A playlist that was complete at first is a film, which is repeated.
 */
export type LivePlaylists = Pick<LRUCache<string, true>, 'has' | 'set'>

/**
 * Lets ffmpeg read an HLS playlist or a DASH manifest through this process, which checks each address. Without a check,
 * a playlist could lead into a private network. The playlists are rewritten as for viewers of a relay. The gateway is also
 * the HTTP proxy of ffmpeg, and refuses addresses that it did not write itself.
 */
export async function openPlaylist(
  source: StreamSource,
  allow: readonly string[],
  live: LivePlaylists,
): Promise<OpenSource> {
  const [token, secret] = [randomBytes(16).toString('hex'), randomBytes(32)]
  const relays = createRelays({ secretFor: () => secret }, allow)
  const failed = new AbortController()
  const dash = new DashPlaylists()
  let isLive = false
  const server = createServer((request, response) => {
    const { url = '' } = request
    const origin = `http://${request.headers.host}`
    // A request to a proxy contains the complete address.
    const path = url.startsWith(`${origin}/`) && origin === base ? url.slice(origin.length) : url
    answer(path, request, response).catch((error: unknown) => {
      const refusal = error instanceof LiveSourceError ? error : refusalIn(error)
      if (refusal) failed.abort(refusal)
      if (response.headersSent) response.destroy()
      else response.writeHead(error instanceof ServiceError ? error.status : 502).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const entrance = `/play/${token}/relay/`

  async function answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!path.startsWith(entrance)) throw new ServiceError('notFound')
    const file = path.slice(entrance.length)
    const relayed = await (source.manifest === 'dash'
      ? readDash(file, request.headers.range)
      : read(relays, token, source, file, request.headers.range))
    requireGoingOn(relayed)
    await send(relayed, response)
  }

  /** Reads a file of a DASH stream, of which ffmpeg sees HLS playlists. */
  async function readDash(file: string, range: string | undefined): Promise<Relayed> {
    const isMaster = file === RELAY_ENTRANCE.hls
    if (!isMaster && !isDashPlaylist(file)) return await read(relays, token, source, file, range)
    const now = Date.now()
    const manifest = await withinDepth(await relays.entrance(0, token, source), LISTED_SECONDS, now)
    if (manifest.kind !== 'manifest' || manifest.format !== 'dash') throw new ServiceError('channelSilent')
    await dash.read(manifest.body, `${base}${entrance}${RELAY_ENTRANCE.dash}`, now)
    const body = isMaster ? dash.master() : dash.media(file)
    if (body === undefined) throw new ServiceError('notFound')
    return forFfmpeg({ kind: 'manifest', format: 'hls', body })
  }

  /**
   * Notes whether a playlist is live.
   *
   * @throws LiveSourceError for an event that ended before this gateway was opened
   */
  function requireGoingOn(relayed: Relayed): void {
    if (relayed.kind !== 'manifest' || !isMediaPlaylist(relayed.body)) return
    if (!/^#EXT-X-ENDLIST/m.test(relayed.body)) {
      isLive = true
      live.set(source.address, true)
    } else if (!isLive && live.has(source.address))
      throw new LiveSourceError(
        'the event of this playlist has ended: it is received again once it is live. If the address now has a film, run `inputs release`, or restart `keep` if it is a service. Either interrupts all inputs',
      )
  }

  return {
    source: { kind: 'hls', address: `${base}${entrance}${RELAY_ENTRANCE.hls}` },
    environment: { http_proxy: base },
    signal: failed.signal,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function read(
  relays: Relays,
  token: string,
  source: StreamSource,
  path: string,
  range: string | undefined,
): Promise<Relayed> {
  if (path === RELAY_ENTRANCE.hls) return forFfmpeg(await relays.entrance(0, token, source))
  const [sealed = ''] = path.split('/', 1)
  // ffmpeg sends this range when it requests a whole file.
  const part = range === 'bytes=0-' ? undefined : range
  return forFfmpeg(await relays.inside(0, token, source, sealed, path.slice(sealed.length + 1), part))
}

/**
 * Adapts a playlist for ffmpeg. Some versions of ffmpeg refuse segments whose address has no file extension of
 * their format. They accept `.ts` for all formats.
 */
function forFfmpeg(relayed: Relayed): Relayed {
  if (relayed.kind !== 'manifest') return relayed
  const body = oneVariant(relayed.body)
  if (!isMediaPlaylist(body)) return { ...relayed, body }
  const lines = body.split('\n').map((line) => {
    if (!line.startsWith('/')) return line
    return `${line}${line.includes('?') ? '&' : '?'}as=.ts`
  })
  return { ...relayed, body: lines.join('\n') }
}

function isMediaPlaylist(body: string): boolean {
  return body.includes('#EXTINF:')
}

async function send(relayed: Relayed, response: ServerResponse): Promise<void> {
  if (relayed.kind === 'manifest') {
    response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(relayed.body)
    return
  }
  const { status, headers, body } = relayed.answer
  for (const name of PASSED_ON) {
    const value = headers[name]
    if (typeof value === 'string') response.setHeader(name, value)
  }
  response.writeHead(status, { 'content-type': 'application/octet-stream' })
  await pipeline(Readable.from(body, { objectMode: false }), response)
}

/** Returns the error if an address was refused because it is in a private network. */
function refusalIn(error: unknown): OutboundError | undefined {
  const cause = error instanceof ServiceError ? error.cause : error
  return cause instanceof OutboundError && cause.fault === 'private-address' ? cause : undefined
}
