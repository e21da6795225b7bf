import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { encodingOf, type PageEncoding } from './page-encoding.ts'

/** Size from which answers are compressed, in bytes. Smaller ones are sent as fast uncompressed, and a proxy may compress them. */
const WORTH_PACKING = 50_000

const PACKERS: Record<PageEncoding, (body: Buffer) => Promise<Buffer>> = {
  // This quality gives the best ratio of time to size.
  br: async (body) =>
    await promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: async (body) => await promisify(gzip)(body),
}

/** An answer that is ready to send: the whole envelope as JSON, made once for many callers. */
export class PreparedAnswer {
  readonly body: Buffer
  readonly #packed = new Map<PageEncoding, Promise<Buffer>>()
  #envelope: unknown

  constructor(body: Buffer) {
    this.body = body
  }

  /** Wraps `result`, which is JSON already, in an envelope. */
  static of(result: string): PreparedAnswer {
    return new PreparedAnswer(Buffer.from(`{"status":true,"result":${result}}`))
  }

  /** Returns the body in an encoding that `accept-encoding` allows. Each encoding is compressed once. */
  async bodyFor(accepted: string | undefined): Promise<{ body: Buffer; packing: PageEncoding | undefined }> {
    const packing = this.body.length < WORTH_PACKING ? undefined : encodingOf(accepted)
    if (packing === undefined) return { body: this.body, packing }
    let packed = this.#packed.get(packing)
    if (!packed) this.#packed.set(packing, (packed = PACKERS[packing](this.body)))
    return { body: await packed, packing }
  }

  /** The parsed body, parsed once. Callers share the object and must not change it. */
  get envelope(): unknown {
    this.#envelope ??= JSON.parse(this.body.toString())
    return this.#envelope
  }
}

/** An answer for one caller, or shared for a moment. It is serialised only when it has to be sent. */
export class WrittenAnswer {
  /** The whole answer. It must not be changed once it may be shared. */
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
