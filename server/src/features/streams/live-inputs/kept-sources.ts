import { LRUCache } from 'lru-cache'
import { RtmpPorts } from '../../../ingest/live/rtmp/rtmp-ports.ts'
import type { OpenSource, SourceRequest, Sources } from '../../../ingest/live/source-request.ts'

/** Maximum number of playlists that are remembered as live. */
const MOST_PLAYLISTS = 1000

/** A stream key that an input receives. */
interface Claimed {
  address: string
  stopping: AbortController
  key: ReturnType<RtmpPorts['claim']>
}

/** The sources that the keeper opens for ffmpeg, by the rules for outbound connections (docs/decisions/0080). */
export class KeptSources implements Sources {
  readonly #rtmp: RtmpPorts
  readonly #claimed = new Map<string, Claimed>()
  readonly #live = new LRUCache<string, true>({ max: MOST_PLAYLISTS })

  /** @param say writes a line of the log. No line contains a stream key. */
  constructor(say: (text: string) => void) {
    this.#rtmp = new RtmpPorts({
      onAdmitted: (from, port) => say(`receives an RTMP sender: ${from}, port ${port}`),
      onRefused: (reason, from, port) => say(`refused an RTMP sender: ${from}, port ${port}, ${reason}`),
    })
  }

  async open(
    name: string,
    { source, headers, allow }: SourceRequest,
    signal: AbortSignal,
  ): Promise<OpenSource> {
    if (source.kind === 'rtmp')
      return { source: { kind: 'flv' }, input: await this.#claim(name, source).next(signal) }
    const { openHttp } = await import('./source-opener.ts')
    return await openHttp(source.address, headers, allow, this.#live, signal)
  }

  has(name: string): boolean {
    return this.#claimed.has(name)
  }

  release(name: string): void {
    this.#claimed.get(name)?.stopping.abort(new Error('the input has ended'))
    this.#claimed.delete(name)
  }

  /** Receives a stream key until it is released. A restart of ffmpeg does not disconnect the sender. */
  #claim(name: string, source: Extract<SourceRequest['source'], { kind: 'rtmp' }>): Claimed['key'] {
    const address = JSON.stringify(source)
    const known = this.#claimed.get(name)
    if (known?.address === address) return known.key
    this.release(name)
    const stopping = new AbortController()
    const key = this.#rtmp.claim(source, stopping.signal)
    this.#claimed.set(name, { address, stopping, key })
    return key
  }
}
