import { expect, it, vi } from 'vitest'
import type { JobQueue } from '../../../jobs/queue.ts'
import { queueCreatives } from './creative-queue.ts'

it('enqueues creatives again after the database was away', async () => {
  const declare = vi.fn(async () => {}).mockRejectedValueOnce(new Error('The database is away.'))
  const sendAll = vi.fn(async () => {})
  const unused = async () => {}
  const jobs: JobQueue = {
    declare,
    sendAll,
    work: unused,
    send: unused,
    schedule: unused,
    unschedule: unused,
    count: async () => [],
    stop: unused,
  }
  await expect(queueCreatives(jobs, ['one'])).rejects.toThrow('away')
  await queueCreatives(jobs, ['one'])
  await queueCreatives(jobs, ['two'])
  expect(declare).toHaveBeenCalledTimes(2)
  expect(sendAll).toHaveBeenCalledTimes(2)
})
