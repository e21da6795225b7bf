/** Kinds of stream that play (V3-38). */
export type StreamKind = 'dash' | 'hls'

/** The kind of a stream by its address: a path that ends in `.m3u8` is HLS, everything else DASH (V3-39). */
export function streamKind(url: string): StreamKind {
  // The base only makes relative addresses readable.
  return new URL(url, 'http://internal.invalid').pathname.endsWith('.m3u8') ? 'hls' : 'dash'
}

/** Which licence a channel asks for: FairPlay for `.m3u8`, Widevine for everything else (V4-25). */
export function licenceKind(url: string): 'fairplay' | 'widevine' {
  return streamKind(url) === 'hls' ? 'fairplay' : 'widevine'
}
