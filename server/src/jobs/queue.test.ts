import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import Fastify from 'fastify'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Connection, openDatabase } from '../database/connection.ts'
import { PGLITE_OPTIONS } from '../database/embedded.ts'
import { registerJobMetrics } from './job-metrics.ts'
import { startJobQueue } from './queue.ts'

let folder: string
let connection: Connection
const { log } = Fastify()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ondine-queue-'))
  const pglite = new PGlite(PGLITE_OPTIONS)
  connection = await openDatabase({
    DATA_DIR: folder,
    DATABASE_URL: undefined,
    DATABASE_POOL_SIZE: 1,
    pglite,
  })
}, 120_000)
afterAll(async () => {
  await connection.close()
  await rm(folder, { recursive: true, force: true })
})

test('the next process resumes a killed process’s jobs at once, without the retry pause', async () => {
  const options = { retries: 5, pauseSeconds: { first: 900, longest: 900 } }
  const killed = await startJobQueue(connection, log)
  await killed.declare('letters', options)
  const begun = Promise.withResolvers<void>()
  await killed.work('letters', async () => {
    begun.resolve()
    // Simulates a killed process: its job never ends.
    await new Promise(() => {})
  })
  await killed.send('letters', 'to Camille', { to: 'Camille' })
  await begun.promise

  const next = await startJobQueue(connection, log)
  await next.declare('letters', options)
  const done = Promise.withResolvers<object>()
  await next.work('letters', async (data: object) => done.resolve(data))
  expect(await done.promise).toEqual({ to: 'Camille' })
  await next.stop()
  await killed.stop()
}, 60_000)

test('the next process starts although a killed process’s job has a double that waits for a retry', async () => {
  const options = { alone: true, retries: 5, pauseSeconds: { first: 900, longest: 900 } }
  const killed = await startJobQueue(connection, log)
  await killed.declare('spots', options)
  let runs = 0
  await killed.work('spots', async () => {
    runs++
    if (runs === 1) throw new Error('the first run fails')
    await new Promise(() => {})
  })
  await killed.send('spots', 'one', { run: 1 })
  const jobs = async () =>
    (
      await connection.forJobs.executeSql(
        `select state, data from jobs.job where name = 'spots' and state in ('created', 'active', 'retry')`,
        [],
      )
    ).rows
  await expect.poll(jobs).toEqual([{ state: 'retry', data: { run: 1 } }])
  // The failed job waits for its retry, so a job with the same key can be sent.
  await killed.send('spots', 'one', { run: 2 })
  await expect.poll(() => runs).toBe(2)

  const next = await startJobQueue(connection, log)
  await next.declare('spots', options)
  await next.work('spots', async () => {})
  expect(await jobs()).toEqual([{ state: 'retry', data: { run: 1 } }])
  await next.stop()
  await killed.stop()
}, 60_000)

test('a job that waits does not keep others waiting where several run at once', async () => {
  const queue = await startJobQueue(connection, log)
  await queue.declare('messages')
  const release = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  await queue.work(
    'messages',
    async ({ isSlow }: { isSlow: boolean }) => {
      if (isSlow) await release.promise
      else done.resolve()
    },
    { atOnce: 2 },
  )
  await queue.send('messages', 'slow', { isSlow: true })
  await queue.send('messages', 'fast', { isSlow: false })
  await done.promise
  release.resolve()
  await queue.stop()
}, 60_000)

test('a start that is repeated does not run more jobs at once', async () => {
  const queue = await startJobQueue(connection, log)
  const begun: string[] = []
  const release = Promise.withResolvers<void>()
  const start = async (): Promise<void> => {
    await queue.declare('renewals')
    await queue.work('renewals', async ({ of }: { of: string }) => {
      begun.push(of)
      await release.promise
    })
  }
  await start()
  await queue.send('renewals', 'Camille', { of: 'Camille' })
  await expect.poll(() => begun).toEqual(['Camille'])
  await queue.send('renewals', 'Noor', { of: 'Noor' })
  await start()
  // Another worker would have taken the second job before the job of this kind is done.
  const marked = Promise.withResolvers<void>()
  await queue.declare('marks')
  await queue.work('marks', async () => marked.resolve())
  await queue.send('marks', 'one', {})
  await marked.promise
  expect(begun).toEqual(['Camille'])
  release.resolve()
  await expect.poll(() => begun).toEqual(['Camille', 'Noor'])
  await queue.stop()
}, 60_000)

test('exclusive jobs run in one process at a time, and jobs sent meanwhile run afterwards', async () => {
  const processes = [await startJobQueue(connection, log), await startJobQueue(connection, log)]
  const [first, second] = processes
  if (!first || !second) throw new Error('There are not two processes.')
  let running = 0
  let most = 0
  let done = 0
  const release = Promise.withResolvers<void>()
  for (const each of processes) {
    await each.declare('rounds', { alone: true, retries: 0 })
    await each.work('rounds', async () => {
      running++
      most = Math.max(most, running)
      await release.promise
      running--
      done++
    })
  }
  await first.send('rounds', 'rounds', {})
  await expect.poll(() => running).toBe(1)
  // One job is pending under this key, so later requests are merged with it.
  for (const each of processes) await each.send('rounds', 'rounds', {})
  // Both processes poll. A later job completed by each process proves that the process has polled.
  for (const [index, each] of processes.entries()) {
    const name = `marks-${index}`
    let marks = 0
    await each.declare(name)
    await each.work(name, async () => {
      marks++
    })
    for (let mark = 1; mark <= 3; mark++) {
      await each.send(name, `${mark}`, {})
      await expect.poll(() => marks).toBe(mark)
    }
  }
  expect(most).toBe(1)
  release.resolve()
  await expect.poll(() => done).toBe(2)
  expect(most).toBe(1)
  for (const each of processes) await each.stop()
}, 120_000)

test('a delayed job waits, and merges the jobs that are sent meanwhile', async () => {
  const queue = await startJobQueue(connection, log)
  await queue.declare('looks')
  const done: number[] = []
  await queue.work('looks', async () => {
    done.push(Date.now())
  })
  const sentAt = Date.now()
  for (let time = 0; time < 3; time++) await queue.send('looks', 'all', {}, { afterSeconds: 2 })
  await expect.poll(() => done.length, { timeout: 20_000 }).toBe(1)
  expect(done[0]).toBeGreaterThanOrEqual(sentAt + 2000)
  await queue.send('looks', 'all', {})
  await expect.poll(() => done.length).toBe(2)
  await queue.stop()
}, 60_000)

test('a long list of jobs is done without pauses between them', async () => {
  const sender = await startJobQueue(connection, log)
  await sender.declare('receipts')
  // If the worker paused for a second between jobs, the test would time out.
  const pieces = Array.from({ length: 120 }, (_, number) => number)
  for (const number of pieces) await sender.send('receipts', `receipt ${number}`, { number })
  const done: number[] = []
  const worker = await startJobQueue(connection, log)
  await worker.declare('receipts')
  await worker.work('receipts', async ({ number }: { number: number }) => void done.push(number))
  await expect.poll(() => done.length, { timeout: 60_000 }).toBe(pieces.length)
  expect(done.toSorted((one, other) => one - other)).toEqual(pieces)
  await worker.stop()
  await sender.stop()
}, 90_000)

/** Settings of a kind of jobs in the database. */
async function settingsOf(name: string): Promise<unknown> {
  const { rows } = await connection.forJobs.executeSql(
    `select policy, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds
     from jobs.queue where name = $1`,
    [name],
  )
  return rows[0]
}

test('finished jobs are deleted after an hour, and so are those of schedules', async () => {
  const queue = await startJobQueue(connection, log)
  await queue.declare('minutes')
  await expect(settingsOf('minutes')).resolves.toMatchObject({ deletion_seconds: 3600 })
  await expect(settingsOf('__pgboss__send-it')).resolves.toMatchObject({ deletion_seconds: 3600 })
  await queue.work('minutes', async () => {})
  for (const minute of ['old', 'new']) await queue.send('minutes', minute, {})
  const kept = async () => {
    const { rows } = await connection.forJobs.executeSql(
      `select singleton_key as key from jobs.job where name = 'minutes' and state = 'completed' order by 1`,
      [],
    )
    return rows.map(({ key }) => key)
  }
  await expect.poll(kept).toEqual(['new', 'old'])
  await connection.forJobs.executeSql(
    `update jobs.job set completed_on = now() - interval '61 minutes' where singleton_key = 'old'`,
    [],
  )
  await connection.forJobs.executeSql(`update jobs.queue set maintain_on = now() - interval '10 minutes'`, [])
  // The queue looks for such jobs every 15 seconds.
  await expect.poll(kept, { timeout: 50_000, interval: 500 }).toEqual(['new'])
  await queue.stop()
}, 60_000)

test('a later version changes the options of a kind of jobs, and a start without changes updates nothing', async () => {
  const first = await startJobQueue(connection, log)
  await first.declare('lists', {
    retries: 5,
    expireSeconds: 60,
    pauseSeconds: { first: 10, longest: 900 },
    forgetSeconds: 60,
  })
  await expect(settingsOf('lists')).resolves.toEqual({
    policy: 'short',
    retry_limit: 5,
    retry_delay: 10,
    retry_backoff: true,
    retry_delay_max: 900,
    expire_seconds: 60,
    deletion_seconds: 60,
  })
  await first.stop()
  const updatedAt = async () =>
    (await connection.forJobs.executeSql(`select updated_on as at from jobs.queue where name = 'lists'`, []))
      .rows
  const times: unknown[] = []
  for (let start = 0; start < 2; start++) {
    const next = await startJobQueue(connection, log)
    await next.declare('lists', { retries: 1, expireSeconds: 3600 })
    await next.declare('lists', { retries: 1, expireSeconds: 3600 })
    await expect(settingsOf('lists')).resolves.toEqual({
      policy: 'short',
      retry_limit: 1,
      retry_delay: 0,
      retry_backoff: false,
      retry_delay_max: null,
      expire_seconds: 3600,
      deletion_seconds: 3600,
    })
    times.push(await updatedAt())
    await next.stop()
  }
  expect(times[1]).toEqual(times[0])
}, 60_000)

test('the log says why a job failed, after its last attempt', async () => {
  const logged = vi.spyOn(log, 'error')
  const queue = await startJobQueue(connection, log)
  await queue.declare('deletions', { retries: 1 })
  let runs = 0
  const failure = new Error('a row is still used')
  await queue.work('deletions', async () => {
    runs++
    expect(logged).not.toHaveBeenCalled()
    throw failure
  })
  await queue.send('deletions', 'one', {})
  await expect
    .poll(() => logged.mock.calls, { timeout: 20_000 })
    .toEqual([[{ err: failure, kind: 'deletions' }, 'a job failed and is not tried again']])
  expect(runs).toBe(2)
  logged.mockRestore()
  await queue.stop()
}, 60_000)

test('the metrics count the jobs of each kind by their state', async () => {
  const queue = await startJobQueue(connection, log)
  await queue.declare('notices', { retries: 0 })
  const release = Promise.withResolvers<void>()
  await queue.work('notices', async ({ to }: { to: string }) => {
    if (to === 'nobody') throw new Error('there is no such address')
    await release.promise
  })
  await queue.send('notices', 'nobody', { to: 'nobody' })
  await queue.send('notices', 'Camille', { to: 'Camille' }, { afterSeconds: 1 })
  await queue.send('notices', 'Noor', { to: 'Noor' }, { afterSeconds: 3600 })
  const registry = new Registry()
  registerJobMetrics(registry, queue)
  // The queue counts its jobs every 15 seconds.
  for (const [state, count] of Object.entries({ due: 0, delayed: 1, running: 1, failed: 1 }))
    await expect
      .poll(async () => await registry.metrics(), { timeout: 50_000, interval: 500 })
      .toContain(`ondine_jobs{kind="notices",state="${state}"} ${count}`)
  release.resolve()
  await queue.stop()
}, 60_000)
