import { setTimeout as pause } from 'node:timers/promises'
import { Connection, encodeRequest, type Request } from './connection.ts'
import { percentile } from './statistics.ts'

/** Requests to a loopback server. They are sent in order, again and again. */
export interface Load {
  port: number
  requests: readonly Request[]
  connections: number
  milliseconds: number
  /** Requests per second on all connections together. If omitted, as many as possible. */
  perSecond?: number
}

export interface LoadResult {
  answersPerSecond: number
  bitsPerSecond: number
  /** Time within which 99 of 100 answers arrived, in milliseconds. */
  p99Ms: number
}

/**
 * Sends requests repeatedly, and counts the answers.
 * @throws when an answer is not a success, because a server that quickly refuses calls is not fast
 */
export async function load(options: Load): Promise<LoadResult> {
  const requests = options.requests.map(encodeRequest)
  const connections = await Promise.all(
    Array.from({ length: options.connections }, async () => await Connection.open(options.port)),
  )
  const tally: Tally = { bytes: 0, latencies: [] }
  const startedAt = performance.now()
  try {
    await Promise.all(
      connections.map(
        async (connection, index) => await keepAsking(connection, requests, options, index, startedAt, tally),
      ),
    )
  } finally {
    for (const connection of connections) connection.close()
  }
  const seconds = (performance.now() - startedAt) / 1000
  return {
    answersPerSecond: tally.latencies.length / seconds,
    bitsPerSecond: (tally.bytes * 8) / seconds,
    p99Ms: percentile(tally.latencies, 99),
  }
}

interface Tally {
  bytes: number
  latencies: number[]
}

async function keepAsking(
  connection: Connection,
  requests: readonly Buffer[],
  { connections, milliseconds, perSecond }: Load,
  index: number,
  startedAt: number,
  tally: Tally,
): Promise<void> {
  const intervalMs = perSecond === undefined ? 0 : (1000 * connections) / perSecond
  const endsAt = startedAt + milliseconds
  let dueAt = startedAt + (intervalMs * index) / connections
  for (let next = index; ; next += connections) {
    const early = dueAt - performance.now()
    if (intervalMs > 0 && early > 0) await pause(early)
    const askedAt = performance.now()
    if (askedAt >= endsAt) return
    const { status, bytes } = await connection.ask(requests[next % requests.length] ?? Buffer.alloc(0))
    if (status !== 200) throw new Error(`Answered with ${status}.`)
    // If a request had to wait for the previous answer, its latency counts from the time when the request was due.
    // The delay of a late timer is not counted, because the benchmark itself causes this delay.
    tally.latencies.push(performance.now() - (early < 0 && intervalMs > 0 ? dueAt : askedAt))
    tally.bytes += bytes
    dueAt += intervalMs
  }
}

/** Runs two loads in alternating rounds, so that other work on the machine affects both equally. */
export async function loadInTurns(
  subject: Load,
  reference: Load,
  rounds: number,
): Promise<{ subject: LoadResult[]; reference: LoadResult[] }> {
  await load({ ...subject, milliseconds: subject.milliseconds / 2 })
  await load({ ...reference, milliseconds: reference.milliseconds / 2 })
  const results = { subject: [] as LoadResult[], reference: [] as LoadResult[] }
  for (let round = 0; round < rounds; round++) {
    results.subject.push(await load(subject))
    results.reference.push(await load(reference))
  }
  return results
}

/** Returns the answers per second of each round. */
export function answerRates(results: readonly LoadResult[]): number[] {
  return results.map(({ answersPerSecond }) => answersPerSecond)
}
