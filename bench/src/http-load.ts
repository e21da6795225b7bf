import autocannon from 'autocannon'

/** Requests that are sent over and over. */
export interface Load {
  origin: string
  requests: { method?: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string }[]
  connections: number
  milliseconds: number
  /** Requests a second in all; as many as there can be when left out. */
  perSecond?: number
}

export interface LoadResult {
  perSecond: number
  /** 99 of 100 answers came within so many milliseconds. */
  p99Ms: number
}

/**
 * Asks a server over and over and counts the answers.
 * @throws when one of them is anything but a success: a server that refuses quickly is not quick.
 */
export async function load({
  origin,
  requests,
  connections,
  milliseconds,
  perSecond,
}: Load): Promise<LoadResult> {
  const result = await autocannon({
    url: origin,
    connections,
    duration: milliseconds / 1000,
    requests: requests.map((request) => ({ method: 'GET', ...request })),
    ...(perSecond === undefined ? {} : { overallRate: perSecond }),
  })
  const answers = result['2xx']
  if (result.non2xx > 0 || result.errors > 0 || answers === 0) {
    throw new Error(
      `${origin}${requests[0]?.path}: ${answers} good answers, ${result.non2xx} bad, ${result.errors} errors`,
    )
  }
  return { perSecond: answers / result.duration, p99Ms: result.latency.p99 }
}

/** How often two servers answer in a second, asked in turns. */
export async function loadInTurns(
  subject: Load,
  reference: Load,
  rounds: number,
): Promise<{ subject: number[]; reference: number[] }> {
  await load({ ...subject, milliseconds: subject.milliseconds / 2 })
  await load({ ...reference, milliseconds: reference.milliseconds / 2 })
  const rates = { subject: [] as number[], reference: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    rates.subject.push((await load(subject)).perSecond)
    rates.reference.push((await load(reference)).perSecond)
  }
  return rates
}
