import type { FastifyBaseLogger } from 'fastify'
import { type JobWithMetadata, PgBoss, type UpdateQueueOptions } from 'pg-boss'
import { isUniqueViolation } from '../database/broken-keys.ts'
import type { Connection } from '../database/connection.ts'

/**
 * A queue of jobs that outlive the call that enqueued them. The database stores the jobs. Failed jobs are retried.
 */
export interface JobQueue {
  /**
   * Declares a kind of job. Must be called for every kind before `work` and `send`, always with the same options. If the
   * database has other options, such as those of an earlier version, the new ones apply to the jobs that are sent from
   * then on, except `alone`.
   */
  declare(name: string, options?: JobKindOptions): Promise<void>
  /**
   * Runs jobs of a kind, one after the other. `signal` aborts when the process stops or the job is cancelled. The
   * next process restarts an interrupted job. Another call for the same kind changes nothing, so that a start which
   * failed halfway can be repeated.
   *
   * @param atOnce number of jobs that this process runs at the same time, 1 by default. For jobs that mostly wait
   * for other jobs.
   */
  work<Data extends object>(
    name: string,
    handle: (data: Data, signal: AbortSignal) => Promise<void>,
    options?: { atOnce?: number },
  ): Promise<void>
  /** Enqueues a job unless a job with the same `key` is pending. */
  send<Data extends object>(
    name: string,
    key: string,
    data: Data,
    options?: Omit<NewJob<Data>, 'key' | 'data'>,
  ): Promise<void>
  /**
   * Enqueues several jobs of a kind with one statement. As in {@link JobQueue.send}, skips a job if a job with the
   * same `key` is pending.
   */
  sendAll<Data extends object>(name: string, jobs: readonly NewJob<Data>[]): Promise<void>
  /**
   * Enqueues a job of a kind repeatedly, by a cron expression in UTC (minutes at the finest). Replaces the schedule
   * under the same key.
   *
   * @throws TypeError for an invalid cron expression.
   */
  schedule(name: string, cron: string, key?: string, data?: object): Promise<void>
  unschedule(name: string, key: string): Promise<void>
  /** Counts the jobs of every kind. The counts are up to {@link WATCH_SECONDS} old. */
  count(): Promise<JobCounts[]>
  /** Stops working. Running jobs are aborted and left for the next process. */
  stop(): Promise<void>
}

/** Counts of the jobs of a kind. */
interface JobCounts {
  name: string
  /** Jobs that may run now. */
  due: number
  /** Jobs that wait for their time: for a delay, or for the next attempt after a failure. */
  delayed: number
  running: number
  /** Jobs that were given up after their last attempt, and are still in the database. */
  failed: number
}

/** A job to be enqueued. */
interface NewJob<Data extends object> {
  key: string
  data: Data
  priority?: number
  /** Delay until the job may run, 0 by default. The job is pending meanwhile. */
  afterSeconds?: number
}

interface JobKindOptions {
  /**
   * Whether only one process at a time runs a job with the same key. Otherwise each process may run one such job. Has
   * no effect on a kind of job that the database already contains.
   */
  alone?: boolean
  /** Maximum number of retries of a failed job. */
  retries?: number
  /** Seconds after which a running job counts as lost, and is retried. */
  expireSeconds?: number
  /** Pauses between attempts, growing from the first to the longest; no pauses by default. */
  pauseSeconds?: { first: number; longest: number }
  /** Seconds after which a finished job is deleted with its data, {@link FORGET_SECONDS} by default. */
  forgetSeconds?: number
}

/**
 * How long a finished job is kept, in seconds. The queue counts all jobs every {@link WATCH_SECONDS}, and the jobs of
 * each minute would be 160,000 after a week. The count of failed jobs is an alert for operators, so an hour is
 * enough for them too. The log has the reason.
 */
const FORGET_SECONDS = 3600
/** Interval at which jobs are deleted that need not be kept any longer, in seconds. */
const DELETE_SECONDS = 600
/** Kind of the jobs in which pg-boss stores the jobs of schedules that have become due. */
const DUE_SCHEDULES = '__pgboss__send-it'

/** Seconds without a heartbeat after which a job of a killed process is retried. */
const HEARTBEAT_SECONDS = 30
/** Interval of the check for jobs of killed processes, in seconds. */
const WATCH_SECONDS = 15
/**
 * Interval at which an idle worker polls for jobs, in seconds. With an embedded database, the process that
 * enqueues a job notifies its workers at once. Polling there only finds schedules, which are due at whole minutes,
 * and retries. Polling each kind of job every second took a tenth of an idle service's processor time.
 */
const POLL_SECONDS = { embedded: 5, postgresql: 1 }

/**
 * Statement that deletes interrupted jobs whose key already has a job that waits for a retry. A queue of exclusive
 * jobs holds only one job of a key in each state, and the waiting job does the same work.
 */
const DROP_DOUBLES = `
  delete from jobs.job as interrupted where state = 'active' and policy = 'stately' and exists (
    select from jobs.job as waiting
    where waiting.name = interrupted.name and waiting.state = 'retry'
      and coalesce(waiting.singleton_key, '') = coalesce(interrupted.singleton_key, ''))`

/**
 * Statement that makes interrupted jobs due again. The interrupted run counts as an attempt, so that a job that
 * crashes its process is not retried forever.
 */
const TAKE_UP_AGAIN = `
  update jobs.job set state = 'retry', start_after = now(), heartbeat_on = null
  where state = 'active' and retry_count < retry_limit`

/**
 * Starts pg-boss. If several processes create its tables at the same time, all but one fail with a unique
 * violation. They try again, and then find the tables.
 */
async function start(boss: PgBoss): Promise<void> {
  try {
    await boss.start()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await boss.start()
  }
}

/** Starts the job queue on the service's own database. */
export async function startJobQueue(connection: Connection, log: FastifyBaseLogger): Promise<JobQueue> {
  const boss = new PgBoss({
    db: connection.forJobs,
    schema: 'jobs',
    superviseIntervalSeconds: WATCH_SECONDS,
    monitorIntervalSeconds: WATCH_SECONDS,
    maintenanceIntervalSeconds: DELETE_SECONDS,
  })
  boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'))
  await start(boss)
  // Only one process uses the embedded database, so every active job belongs to an earlier, ended process.
  if (connection.kind === 'embedded') {
    await connection.forJobs.executeSql(DROP_DOUBLES, [])
    await connection.forJobs.executeSql(TAKE_UP_AGAIN, [])
  }
  // One query for all kinds, so that `declare` queries the database only for a new kind or for other options.
  const known = new Map<string, Readonly<Partial<UpdateQueueOptions>>>()
  for (const queue of await boss.getQueues()) known.set(queue.name, queue)
  const update = async (name: string, settings: UpdateQueueOptions): Promise<void> => {
    const stored = known.get(name)
    const isStored = Object.entries(settings).every(
      // The cast is safe, because the keys are those of `settings`.
      ([key, value]) => stored?.[key as keyof UpdateQueueOptions] === value,
    )
    if (isStored) return
    await boss.updateQueue(name, settings)
    known.set(name, { ...stored, ...settings })
  }
  await update(DUE_SCHEDULES, { deleteAfterSeconds: FORGET_SECONDS })
  const stopping = new AbortController()
  const workers = new Map<string, string[]>()
  const lookAgain = (name: string) => {
    for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker)
  }

  const sendAll: JobQueue['sendAll'] = async (name, jobs) => {
    if (jobs.length === 0) return
    await boss.insert(
      name,
      jobs.map(({ key, data, priority = 0, afterSeconds = 0 }) => ({
        data,
        priority,
        singletonKey: key,
        startAfter: afterSeconds,
      })),
    )
    // Makes this process's workers poll at once, without waiting for the polling interval.
    lookAgain(name)
  }

  return {
    declare: async (name, { alone = false, retries, expireSeconds, pauseSeconds, forgetSeconds } = {}) => {
      const settings = {
        retryLimit: retries ?? 2,
        expireInSeconds: expireSeconds ?? 12 * 3600,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        retryDelay: pauseSeconds?.first ?? 0,
        retryBackoff: pauseSeconds !== undefined,
        deleteAfterSeconds: forgetSeconds ?? FORGET_SECONDS,
      }
      const longest = pauseSeconds && { retryDelayMax: pauseSeconds.longest }
      if (known.has(name)) return await update(name, { ...settings, ...(longest ?? { retryDelayMax: null }) })
      await boss.createQueue(name, { policy: alone ? 'stately' : 'short', ...settings, ...longest })
      known.set(name, { ...settings, ...longest })
    },
    work: async (name, handle, { atOnce = 1 } = {}) => {
      const options = {
        pollingIntervalSeconds: POLL_SECONDS[connection.kind],
        batchSize: 1,
        includeMetadata: true,
      } as const
      const started = workers.get(name) ?? []
      workers.set(name, started)
      while (started.length < atOnce) {
        const worker = await boss.work(name, options, async (jobs: JobWithMetadata[]) => {
          for (const job of jobs) {
            try {
              // The cast is safe, because pg-boss returns the data that `send` stored under this name.
              await handle(
                job.data as Parameters<typeof handle>[0],
                AbortSignal.any([job.signal, stopping.signal]),
              )
            } catch (error) {
              // A job that is tried again may succeed. Its handler logs what operators should know earlier.
              if (job.retryCount >= job.retryLimit && !stopping.signal.aborted)
                log.error({ err: error, kind: name }, 'a job failed and is not tried again')
              throw error
            }
          }
          // Polls at once, because more jobs may be pending. The polling interval applies to an empty queue only.
          lookAgain(name)
        })
        started.push(worker)
      }
    },
    send: async (name, key, data, options) => await sendAll(name, [{ key, data, ...options }]),
    sendAll,
    schedule: async (name, cron, key, data = {}) => {
      await boss.schedule(name, cron, data, {
        tz: 'UTC',
        // A job that becomes due is merged with a pending job with the same key.
        ...(key !== undefined && { key, singletonKey: key }),
      })
    },
    unschedule: async (name, key) => await boss.unschedule(name, key),
    count: async () =>
      (await boss.getQueues()).map(({ name, readyCount, deferredCount, activeCount, failedCount }) => ({
        name,
        due: readyCount,
        delayed: deferredCount,
        running: activeCount,
        failed: failedCount,
      })),
    stop: async () => {
      stopping.abort(new Error('the service stops'))
      await boss.stop({ graceful: true, timeout: 4000, close: false })
    },
  }
}
