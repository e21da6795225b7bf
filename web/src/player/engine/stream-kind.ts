/** The supported kinds of streams (V3-38). */
export type StreamKind = 'dash' | 'hls'

/** Returns the kind of a stream by its address: a path that ends in `.m3u8` is HLS, any other path is DASH (V3-39). */
export function streamKind(url: string): StreamKind {
  // The base is only needed to parse relative addresses.
  return new URL(url, 'http://internal.invalid').pathname.endsWith('.m3u8') ? 'hls' : 'dash'
}

/** Returns the kind of licence for a channel: FairPlay for `.m3u8`, Widevine for any other address (V4-25). */
export function licenceKind(url: string): 'fairplay' | 'widevine' {
  return streamKind(url) === 'hls' ? 'fairplay' : 'widevine'
}
