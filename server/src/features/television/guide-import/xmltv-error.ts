/** Thrown for a guide that cannot be imported, with the reason as text. */
export class XmltvError extends Error {
  override name = 'XmltvError'
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}
