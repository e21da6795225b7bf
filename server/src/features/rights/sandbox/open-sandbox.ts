import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { noticePathOf } from '../payments/payments.service.ts'
import { registerSandbox } from './sandbox.routes.ts'
import { SandboxBank } from './sandbox-bank.service.ts'

const NOTICES = 'sandbox-notices'

/** The sandbox bank of this service. */
export interface Sandbox {
  bank: SandboxBank
  /** Starts the job that sends notices. */
  start(): Promise<void>
}

/**
 * Opens the sandbox bank: registers its pages and declares the job that sends its notices. The job injects each
 * notice into this service as an HTTP request, in place of a request from an external bank.
 */
export async function openSandbox(
  app: FastifyInstance,
  { db, clock, log, jobs }: Pick<Context, 'db' | 'clock' | 'log' | 'jobs'>,
): Promise<Sandbox> {
  await jobs.declare(NOTICES, { alone: true, retries: 3, expireSeconds: 60 })
  const bank = new SandboxBank({ db, clock, log }, async () => await jobs.send(NOTICES, 'due', {}))
  registerSandbox(app, { clock }, bank)
  return {
    bank,
    start: async () => {
      await jobs.work(NOTICES, async () => {
        await bank.sendNotices(async (payload, headers) => {
          const { statusCode } = await app.inject({
            method: 'POST',
            url: noticePathOf(bank.name),
            headers,
            payload,
          })
          return statusCode === 200
        })
      })
      // Every minute, send late notices that are due, and repeat notices that the service did not accept.
      await jobs.schedule(NOTICES, '* * * * *', 'due')
    },
  }
}
