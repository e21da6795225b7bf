/** An answer that is ready to be sent: the whole envelope as JSON, made once for many callers. */
export class PreparedAnswer {
  readonly body: Buffer

  constructor(body: Buffer) {
    this.body = body
  }

  /** @param result the JSON of what `result` holds. */
  static of(result: string): PreparedAnswer {
    return new PreparedAnswer(Buffer.from(`{"status":true,"result":${result}}`))
  }
}
