/** Why a source may not be opened now. The message is for the operator. */
export class SourceError extends Error {
  override name = 'SourceError'
}
