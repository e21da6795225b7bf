import { isIPv6 } from 'node:net'
import { Readable } from 'node:stream'
import type { Context } from '../../../context.ts'
import type { FeedOptions, Opening } from '../../../ingest/live/feed.ts'
import { hostToCall, type LiveSource } from '../../../ingest/live/live-source.ts'
import { RtmpPorts } from '../../../ingest/live/rtmp/rtmp-ports.ts'
import { SourceError } from '../../../ingest/live/source-error.ts'
import { type ByteInput, createByteInput } from '../../../outbound/byte-input.ts'
import { fetchOutside, resolveOutside } from '../../../outbound/fetch-outside.ts'
import { openPlaylist } from './playlist-gateway.ts'

/** Headers that a provider expects. */
export interface SourceHeaders {
  userAgent?: string
  referrer?: string
}

/** Longest connection to a source, in milliseconds: the longest timer. The source is then connected to again. */
const LONGEST_MS = 2 ** 31 - 1
/** A server that sends nothing for this long is connected to again, in milliseconds. */
const HTTP_SILENT_MS = 5000
/** The same for packets and playlists, for which ffmpeg would wait forever. */
const PACKETS_SILENT_MS = 10_000
const PLAYLIST_SILENT_MS = 20_000

/** Packets of MPEG-TS have this many bytes, and begin with this one. */
const TS_BYTES = 188
const TS_SYNC = 0x47
/** Number of packets by which a stream is recognised. */
const TS_PACKETS = 3

/** Opens the addresses of all inputs of this process, by the rules for outbound connections. */
export class SourceOpener {
  readonly #allow: readonly string[]
  readonly #rtmp: RtmpPorts

  constructor({ settings, log }: Pick<Context, 'settings' | 'log'>) {
    this.#allow = settings.OUTBOUND_ALLOW
    this.#rtmp = new RtmpPorts({
      onAdmitted: (from, port) => log.info({ from, port }, 'an RTMP sender is received'),
      onRefused: (reason, from, port) => log.warn({ from, port, reason }, 'an RTMP sender was refused'),
    })
  }

  /** Returns the function with which a feed opens a source. An RTMP key is received until `signal` aborts. */
  prepare(source: LiveSource, headers: SourceHeaders, signal: AbortSignal): FeedOptions['open'] {
    if (source.kind === 'rtmp') {
      const key = this.#rtmp.claim(source, signal)
      return async () => ({ source: { kind: 'flv' }, input: await key.next(signal) })
    }
    if (source.kind === 'http')
      return async () => await openHttp(source.address, headers, this.#allow, signal)
    const host = hostToCall(source)
    if (source.kind === 'srt' && host !== undefined)
      return async () => {
        const address = await resolveOutside(host, this.#allow)
        return { source: { ...source, host: isIPv6(address) ? `[${address}]` : address } }
      }
    const isPackets = source.kind === 'udp' || source.kind === 'rtp'
    return async () => ({ source, ...(isPackets && { mostSilentMs: PACKETS_SILENT_MS }) })
  }
}

/** Opens an address that gives MPEG-TS without an end, or a playlist. @throws OutboundError, SourceError */
async function openHttp(
  address: string,
  headers: SourceHeaders,
  allow: readonly string[],
  signal: AbortSignal,
): Promise<Opening> {
  const { userAgent, referrer } = headers
  const { body } = await fetchOutside(address, {
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
    const begin = await bytes.peek(TS_PACKETS * TS_BYTES)
    if (isTransportStream(begin))
      return { source: { kind: 'mpegts' }, input: Readable.from(rest(bytes, chunks), { objectMode: false }) }
    await chunks.return?.()
    if (/^\uFEFF?\s*#EXTM3U/.test(begin.toString('utf8')))
      return await openPlaylist(
        { address, manifest: 'hls', ...headers },
        { allow, silentMs: PLAYLIST_SILENT_MS },
      )
  } catch (error) {
    await chunks.return?.()
    throw error
  }
  throw new SourceError('the address gives neither MPEG-TS nor an HLS playlist')
}

/** Returns whether bytes are MPEG-TS. They may begin in the middle of a packet. */
function isTransportStream(bytes: Buffer): boolean {
  if (bytes.length < TS_PACKETS * TS_BYTES) return false
  return Array.from({ length: TS_BYTES }, (_, at) => at).some((at) =>
    Array.from({ length: TS_PACKETS }, (_, packet) => bytes[at + packet * TS_BYTES]).every(
      (byte) => byte === TS_SYNC,
    ),
  )
}

async function* rest(bytes: ByteInput, source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let chunk = await bytes.chunk(); chunk; chunk = await bytes.chunk()) yield chunk
  } finally {
    await source.return?.()
  }
}
