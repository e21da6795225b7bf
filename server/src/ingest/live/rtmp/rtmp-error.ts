/** A peer does not follow RTMP, or exceeds a limit. Its connection is closed. */
export class RtmpError extends Error {
  override name = 'RtmpError'
}
