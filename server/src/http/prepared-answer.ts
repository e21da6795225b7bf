import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { encodingOf, type PageEncoding } from './page-encoding.ts'

/** Smaller answers are as quickly sent as they are, and a proxy may pack them. */
const WORTH_PACKING = 50_000

const PACKERS: Record<PageEncoding, (body: Buffer) => Promise<Buffer>> = {
  // Of all qualities this one takes the least time for what it leaves.
  br: async (body) =>
    await promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: async (body) => await promisify(gzip)(body),
}

/** An answer that is ready to be sent: the whole envelope as JSON, made once for many callers. */
export class PreparedAnswer {
  readonly body: Buffer
  readonly #packed = new Map<PageEncoding, Promise<Buffer>>()
  #envelope: unknown

  constructor(body: Buffer) {
    this.body = body
  }

  /** @param result the JSON of what `result` holds. */
  static of(result: string): PreparedAnswer {
    return new PreparedAnswer(Buffer.from(`{"status":true,"result":${result}}`))
  }

  /** The body as a caller takes it (its `accept-encoding`): packed once for all who take it so. */
  async bodyFor(accepted: string | undefined): Promise<{ body: Buffer; packing: PageEncoding | undefined }> {
    const packing = this.body.length < WORTH_PACKING ? undefined : encodingOf(accepted)
    if (packing === undefined) return { body: this.body, packing }
    let packed = this.#packed.get(packing)
    if (!packed) this.#packed.set(packing, (packed = PACKERS[packing](this.body)))
    return { body: await packed, packing }
  }

  /** What the body says, read once: the same object for everyone, not to be changed. */
  get envelope(): unknown {
    this.#envelope ??= JSON.parse(this.body.toString())
    return this.#envelope
  }
}

/** An answer for one caller or for those of one moment: it is written as JSON when it has to travel. */
export class WrittenAnswer {
  /** The whole answer: not to be changed once others may have it. */
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
