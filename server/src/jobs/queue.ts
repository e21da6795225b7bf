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
  /** Times that a failed piece is tried again. */
  retries?: number
  /** After this many seconds a piece counts as lost with its process. */
  expireSeconds?: number
}

/** Seconds without a sign of life after which a job of a killed process is taken up again. */
const HEARTBEAT_SECONDS = 30

/** Starts the job queue on the service's own database. */
export async function startJobQueue(connection: Connection, log: FastifyBaseLogger): Promise<JobQueue> {
  const boss = new PgBoss({ db: connection.forJobs, schema: 'jobs' })
  boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'))
  await boss.start()
  const stopping = new AbortController()

  return {
    declare: async (name, options = {}) => {
      const settings = {
        policy: 'short' as const,
        retryLimit: options.retries ?? 2,
        expireInSeconds: options.expireSeconds ?? 12 * 3600,
        heartbeatSeconds: HEARTBEAT_SECONDS,
      }
      await boss.createQueue(name, settings)
    },
    work: async (name, handle) => {
      await boss.work(name, { pollingIntervalSeconds: 1, batchSize: 1 }, async (jobs: Job[]) => {
        for (const job of jobs) {
          // pg-boss gives back the data that `send` put in for this name.
          await handle(
            job.data as Parameters<typeof handle>[0],
            AbortSignal.any([job.signal, stopping.signal]),
          )
        }
      })
    },
    send: async (name, key, data, { priority = 0 } = {}) => {
      await boss.send(name, data, { priority, singletonKey: key })
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
