import type { ParsedManifest, ParsedPlaylist, ParsedRange } from 'mpd-parser'
import { LiveSourceError } from '../../../ingest/live/source-error.ts'

/**
 * A manifest that lists no segments tells only when each of them is due. They are listed this much later, in
 * milliseconds: the clock of the provider may differ, and ffmpeg would leave out a segment that is not there yet.
 */
const LATE_MS = 5000

/** How much older than the last one an outdated manifest may be, in seconds. Caches of a provider may return one. */
const OUTDATED_SECONDS = 60

/** Folder of the media playlists. */
const FOLDER = 'dash/'

/** The HLS playlists of a DASH manifest, which ffmpeg reads. Its counts continue from one manifest to the next. */
export class DashPlaylists {
  #manifest: ParsedManifest | undefined

  /**
   * Reads a manifest, unless it is older than the last one.
   *
   * @param uri address of the manifest, from which relative addresses start
   * @throws LiveSourceError for a manifest that cannot be read
   */
  async read(body: string, uri: string, now: number): Promise<void> {
    // Loaded on demand, because few installations receive DASH.
    const { parse } = await import('mpd-parser')
    const before = this.#manifest
    try {
      const options = { manifestUri: uri, NOW: now - LATE_MS, ...(before && { previousManifest: before }) }
      const manifest = parse(body, options)
      // The parser would count the segments of an older manifest as new ones. An encoder that restarts counts from zero.
      const lag = before ? edgeOf(before) - edgeOf(manifest) : 0
      if (lag <= 0 || lag > OUTDATED_SECONDS) this.#manifest = manifest
    } catch (cause) {
      throw new LiveSourceError('the DASH manifest cannot be read', { cause })
    }
  }

  /** Returns the master playlist: all pictures, and the best sound of each language. */
  master(): string {
    const sounds = Object.entries(this.#groups()).flatMap(([name, { language, playlists }]) => {
      const [best] = playlists.toSorted((one, other) => rank(other) - rank(one))
      return best ? [{ name, language, playlist: best }] : []
    })
    const pictures = this.#manifest?.playlists ?? []
    if (pictures.length === 0 && sounds.length === 0)
      throw new LiveSourceError('the DASH manifest names neither a picture nor a sound')
    const group = pictures.length > 0 && sounds.length > 0 ? ',AUDIO="sound"' : ''
    return [
      '#EXTM3U',
      ...(group === ''
        ? []
        : sounds.map(
            ({ name, language, playlist }) =>
              `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="${plain(name)}",LANGUAGE="${plain(language)}",URI="${addressOf(playlist)}"`,
          )),
      ...(pictures.length > 0 ? pictures : sounds.map(({ playlist }) => playlist)).flatMap((playlist) => {
        const { BANDWIDTH, CODECS } = playlist.attributes
        const codecs = CODECS === undefined ? '' : `,CODECS="${plain(CODECS)}"`
        return [`#EXT-X-STREAM-INF:BANDWIDTH=${BANDWIDTH}${codecs}${group}`, addressOf(playlist)]
      }),
      '',
    ].join('\n')
  }

  /**
   * Returns the media playlist with an address of the master playlist; undefined if the manifest does not have it.
   *
   * @throws LiveSourceError if it cannot be received
   */
  media(address: string): string | undefined {
    const sounds = Object.values(this.#groups()).flatMap(({ playlists }) => playlists)
    const playlist = [...(this.#manifest?.playlists ?? []), ...sounds].find(
      (each) => addressOf(each) === address,
    )
    if (!playlist) return undefined
    const { segments = [], mediaSequence, discontinuitySequence, endList, contentProtection } = playlist
    if (contentProtection) throw new LiveSourceError('the stream is protected by the provider (DRM)')
    if (segments.length === 0) throw new LiveSourceError('the DASH manifest names no segments')
    let map = ''
    return [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(...segments.map(({ duration }) => duration)))}`,
      `#EXT-X-MEDIA-SEQUENCE:${mediaSequence}`,
      `#EXT-X-DISCONTINUITY-SEQUENCE:${Math.max(0, discontinuitySequence)}`,
      ...segments.flatMap((segment) => {
        const before = map
        const { map: header } = segment
        if (header)
          map = `#EXT-X-MAP:URI="${pathOf(header.resolvedUri)}"${rangeOf(header.byterange, ',BYTERANGE="', '"')}`
        return [
          ...(segment.discontinuity ? ['#EXT-X-DISCONTINUITY'] : []),
          ...(map === before ? [] : [map]),
          `#EXTINF:${segment.duration},`,
          ...(segment.byterange ? [rangeOf(segment.byterange, '#EXT-X-BYTERANGE:', '')] : []),
          pathOf(segment.resolvedUri),
        ]
      }),
      ...(endList ? ['#EXT-X-ENDLIST'] : []),
      '',
    ].join('\n')
  }

  #groups(): ParsedManifest['mediaGroups']['AUDIO'][string] {
    return this.#manifest?.mediaGroups.AUDIO.audio ?? {}
  }
}

/** Returns the start of the newest segment, in seconds. */
function edgeOf({ playlists, mediaGroups }: ParsedManifest): number {
  const sounds = Object.values(mediaGroups.AUDIO.audio ?? {}).flatMap((group) => group.playlists)
  return Math.max(
    0,
    ...[...playlists, ...sounds].map(({ segments }) => segments?.at(-1)?.presentationTime ?? 0),
  )
}

/** Prefers AAC, which is copied, and then the highest bit rate. */
function rank({ attributes: { CODECS = '', BANDWIDTH } }: ParsedPlaylist): number {
  return (CODECS.startsWith('mp4a.40') ? 1e12 : 0) + BANDWIDTH
}

/** Returns whether an address is that of a media playlist. */
export function isDashPlaylist(address: string): boolean {
  return address.startsWith(FOLDER)
}

function addressOf({ attributes: { NAME } }: ParsedPlaylist): string {
  return `${FOLDER}${encodeURIComponent(NAME)}.m3u8`
}

/** Returns a text without what would end an attribute of a playlist. */
function plain(text: string): string {
  return text.replaceAll(/["\p{Cc}]/gu, '')
}

/** Returns the path of an address on the gateway. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}

function rangeOf(range: ParsedRange | undefined, before: string, after: string): string {
  return range ? `${before}${range.length}@${range.offset}${after}` : ''
}
