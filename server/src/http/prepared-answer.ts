import { type BodyEncoding, encodingOf, PackedBody } from './packed-body.ts'

/**
 * Size from which answers are compressed, in bytes. Compression does not speed up smaller answers, and a proxy may
 * still compress them.
 */
const WORTH_PACKING = 50_000

/** An answer that is ready to send: the whole envelope as JSON, made once for many callers. */
export class PreparedAnswer {
  readonly body: Buffer
  readonly #packed: PackedBody
  #envelope: unknown

  constructor(body: Buffer) {
    this.body = body
    this.#packed = new PackedBody(body)
  }

  /** Wraps `result`, a JSON text, in an envelope. */
  static of(result: string): PreparedAnswer {
    return new PreparedAnswer(Buffer.from(`{"status":true,"result":${result}}`))
  }

  /** Returns the body in an encoding that `accept-encoding` allows. Each encoding is compressed once. */
  async bodyFor(accepted: string | undefined): Promise<{ body: Buffer; packing: BodyEncoding | undefined }> {
    const packing = this.body.length < WORTH_PACKING ? undefined : encodingOf(accepted)
    return { body: await this.#packed.in(packing), packing }
  }

  /** The parsed body, parsed once. Callers share the object and must not change it. */
  get envelope(): unknown {
    this.#envelope ??= JSON.parse(this.body.toString())
    return this.#envelope
  }
}

/**
 * An answer for one caller, or shared among callers for a moment. Serialised only when the answer is sent or its
 * size is needed.
 */
export class WrittenAnswer {
  /** The whole answer. Callers must not change it, because it may be shared. */
  readonly envelope: unknown
  #body: string | undefined

  constructor(envelope: unknown) {
    this.envelope = envelope
  }

  get body(): string {
    this.#body ??= JSON.stringify(this.envelope)
    return this.#body
  }
}
