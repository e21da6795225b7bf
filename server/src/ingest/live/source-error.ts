/** Thrown when a source cannot or must not be opened now. The message is for the operator. */
export class LiveSourceError extends Error {
  override name = 'LiveSourceError'
}
