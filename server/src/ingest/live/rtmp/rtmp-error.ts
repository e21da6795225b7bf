/** Thrown when a peer violates RTMP, or exceeds a limit. Its connection is then closed. */
export class RtmpError extends Error {
  override name = 'RtmpError'
}
