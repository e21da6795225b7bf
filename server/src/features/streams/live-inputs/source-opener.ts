import { isIPv6 } from 'node:net'
import { Readable } from 'node:stream'
import type { FeedOptions } from '../../../ingest/live/feed.ts'
import { hostToCall, type LiveSource } from '../../../ingest/live/live-source.ts'
import { LiveSourceError } from '../../../ingest/live/source-error.ts'
import type { OpenSource, SourceHeaders } from '../../../ingest/live/source-request.ts'
import { isTransportStream, SNIFFED_TRANSPORT_BYTES } from '../../../ingest/live/transport-stream.ts'
import { type ByteInput, createByteInput } from '../../../outbound/byte-input.ts'
import { resolveOutside } from '../../../outbound/fetch-outside.ts'
import { fetchUnpacked } from '../../../outbound/fetch-unpacked.ts'
import { formatOf } from '../relays/relays.service.ts'
import { type LivePlaylists, openPlaylist } from './playlist-gateway.ts'

/**
 * Maximum duration of a connection to a source, in milliseconds: the longest possible timer. Then the source is
 * opened again.
 */
const LONGEST_MS = 2 ** 31 - 1
/** The connection to an HTTP server that sends nothing for this long is opened again, in milliseconds. */
const HTTP_SILENT_MS = 5000
/**
 * Maximum silence of packets and of HTTP sources before ffmpeg is restarted, in milliseconds. Without a restart,
 * ffmpeg would wait forever.
 */
const PACKETS_SILENT_MS = 10_000
const HTTP_SOURCE_SILENT_MS = 20_000

/**
 * Returns the function with which a feed opens a source, by the rules for outbound connections. For RTMP and HTTP,
 * the function returns a request, and the keeper opens the source.
 *
 * @param allow private hosts, addresses or CIDR ranges that the operator allows
 */
export function openerOf(
  source: LiveSource,
  headers: SourceHeaders,
  allow: readonly string[],
): FeedOptions['open'] {
  if (source.kind === 'rtmp') return async () => ({ request: { source, headers, allow } })
  if (source.kind === 'http')
    return async () => ({ request: { source, headers, allow }, mostSilentMs: HTTP_SOURCE_SILENT_MS })
  const host = hostToCall(source)
  if (source.kind === 'srt' && host !== undefined)
    return async () => {
      const address = await resolveOutside(host, allow)
      return { source: { ...source, host: isIPv6(address) ? `[${address}]` : address } }
    }
  const isPackets = source.kind === 'udp' || source.kind === 'rtp'
  return async () => ({ source, ...(isPackets && { mostSilentMs: PACKETS_SILENT_MS }) })
}

/** Opens an address of endless MPEG-TS, of an HLS playlist or of a DASH manifest. @throws OutboundError, LiveSourceError */
export async function openHttp(
  address: string,
  headers: SourceHeaders,
  allow: readonly string[],
  live: LivePlaylists,
  signal: AbortSignal,
): Promise<OpenSource> {
  const { userAgent, referrer } = headers
  const { body } = await fetchUnpacked(address, {
    allow,
    signal,
    maxBytes: Infinity,
    maxMilliseconds: LONGEST_MS,
    maxSilentMilliseconds: HTTP_SILENT_MS,
    headers: {
      ...(userAgent !== undefined && { 'user-agent': userAgent }),
      ...(referrer !== undefined && { referer: referrer }),
    },
  })
  const chunks = body[Symbol.asyncIterator]()
  const bytes = createByteInput(chunks)
  try {
    const begin = await bytes.peek(SNIFFED_TRANSPORT_BYTES)
    if (isTransportStream(begin))
      return { source: { kind: 'mpegts' }, input: Readable.from(rest(bytes, chunks), { objectMode: false }) }
    await chunks.return?.()
    const manifest = formatOf(begin.toString('utf8'))
    if (manifest) return await openPlaylist({ address, manifest, ...headers }, allow, live)
  } catch (error) {
    await chunks.return?.()
    throw error
  }
  throw new LiveSourceError('the address gives neither MPEG-TS nor an HLS playlist nor a DASH manifest')
}

async function* rest(bytes: ByteInput, source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let chunk = await bytes.chunk(); chunk; chunk = await bytes.chunk()) yield chunk
  } finally {
    await source.return?.()
  }
}
