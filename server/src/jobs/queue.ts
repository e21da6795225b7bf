import type { FastifyBaseLogger } from 'fastify'
import { type Job, PgBoss } from 'pg-boss'
import type { Connection } from '../database/connection.ts'

/** Work that outlives a call: kept in the database, tried again, at most once at a time where it must be. */
export interface JobQueue {
  /** Declares a kind of work. Call it for every kind before `work` and `send`. */
  declare(name: string, options?: JobKindOptions): Promise<void>
  /**
   * Does work of a kind, one piece after the other. `signal` aborts when the process stops or the piece is cancelled;
   * a piece that was interrupted starts again with the next process.
   */
  work<Data extends object>(
    name: string,
    handle: (data: Data, signal: AbortSignal) => Promise<void>,
  ): Promise<void>
  /** Puts a piece of work on the list, unless one of the same `key` waits there already. */
  send<Data extends object>(
    name: string,
    key: string,
    data: Data,
    options?: { priority?: number },
  ): Promise<void>
  /**
   * Puts a piece of work of a kind on the list again and again, by a cron expression in UTC (minutes at the finest). What was
   * scheduled under the same key before is replaced.
   *
   * @throws TypeError for what is no cron expression.
   */
  schedule(name: string, cron: string, key?: string, data?: object): Promise<void>
  unschedule(name: string, key: string): Promise<void>
  /** Stops working: pieces under way are aborted and left for the next process. */
  stop(): Promise<void>
}

export interface JobKindOptions {
  /** Whether all processes together do one piece of a key at a time; otherwise each process does. Holds for new kinds only. */
  alone?: boolean
  /** Times that a failed piece is tried again. */
  retries?: number
  /** After this many seconds a piece counts as lost with its process. */
  expireSeconds?: number
  /** Pauses between tries, which grow from the first to the longest; none when left out. */
  pauseSeconds?: { first: number; longest: number }
  /** After this many seconds a piece that is done is forgotten, with its data. */
  forgetSeconds?: number
}

/** Seconds without a sign of life after which a job of a killed process is taken up again. */
const HEARTBEAT_SECONDS = 30
/** How often is looked for such jobs, in seconds. */
const WATCH_SECONDS = 15

/** A try of each counts as made, so that a job that ends its process does not do so for ever. */
const TAKE_UP_AGAIN = `
  update jobs.job set state = 'retry', start_after = now(), heartbeat_on = null
  where state = 'active' and retry_count < retry_limit`

/** Starts the job queue on the service's own database. */
export async function startJobQueue(connection: Connection, log: FastifyBaseLogger): Promise<JobQueue> {
  const boss = new PgBoss({
    db: connection.forJobs,
    schema: 'jobs',
    superviseIntervalSeconds: WATCH_SECONDS,
    monitorIntervalSeconds: WATCH_SECONDS,
  })
  boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'))
  await boss.start()
  // One process alone has the embedded database: whatever counts as under way was left behind by one that is gone.
  if (connection.kind === 'embedded') await connection.forJobs.executeSql(TAKE_UP_AGAIN, [])
  const stopping = new AbortController()
  const workers = new Map<string, string>()
  const lookAgain = (name: string) => {
    const worker = workers.get(name)
    if (worker !== undefined) boss.notifyWorker(worker)
  }

  return {
    declare: async (name, options = {}) => {
      const settings = {
        policy: options.alone === true ? ('stately' as const) : ('short' as const),
        retryLimit: options.retries ?? 2,
        expireInSeconds: options.expireSeconds ?? 12 * 3600,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        ...(options.pauseSeconds && {
          retryDelay: options.pauseSeconds.first,
          retryBackoff: true,
          retryDelayMax: options.pauseSeconds.longest,
        }),
        ...(options.forgetSeconds !== undefined && { deleteAfterSeconds: options.forgetSeconds }),
      }
      await boss.createQueue(name, settings)
    },
    work: async (name, handle) => {
      const options = { pollingIntervalSeconds: 1, batchSize: 1 }
      const worker = await boss.work(name, options, async (jobs: Job[]) => {
        for (const job of jobs) {
          // pg-boss gives back the data that `send` put in for this name.
          await handle(
            job.data as Parameters<typeof handle>[0],
            AbortSignal.any([job.signal, stopping.signal]),
          )
        }
        // Where one piece was, there may be more: the pause is for an empty list.
        lookAgain(name)
      })
      workers.set(name, worker)
    },
    send: async (name, key, data, { priority = 0 } = {}) => {
      await boss.send(name, data, { priority, singletonKey: key })
      // What this process has put on the list, it need not wait for.
      lookAgain(name)
    },
    schedule: async (name, cron, key, data = {}) => {
      await boss.schedule(name, cron, data, {
        tz: 'UTC',
        // What comes due while a piece of the same key still waits is that piece.
        ...(key !== undefined && { key, singletonKey: key }),
      })
    },
    unschedule: async (name, key) => await boss.unschedule(name, key),
    stop: async () => {
      stopping.abort(new Error('the service stops'))
      await boss.stop({ graceful: true, timeout: 4000, close: false })
    },
  }
}
