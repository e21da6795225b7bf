import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod'
import type { Context } from '../../../context.ts'
import { notFoundBy } from '../../../http/errors.ts'
import { NOTICE_MODES } from './sandbox.table.ts'
import { SANDBOX_PATH, type SandboxBank, type SandboxPayment } from './sandbox-bank.service.ts'
import { SANDBOX_PAGE_POLICY, sandboxFaultPage, sandboxPage } from './sandbox-page.ts'

/** Headers of every page of the bank. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': SANDBOX_PAGE_POLICY,
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

const pressed = z.object({
  do: z.enum(['pay', 'confirm', 'cancel']),
  card: z.string().max(30).default(''),
  notices: z.enum(NOTICE_MODES).catch('prompt'),
})

/** Registers the payment pages of the sandbox bank. */
export function registerSandbox(
  app: FastifyInstance,
  { clock }: Pick<Context, 'clock'>,
  bank: SandboxBank,
): void {
  const url = `${SANDBOX_PATH}/:token`
  const config = { faultPage: sandboxFaultPage }

  app.get<{ Params: { token: string } }>(url, { config }, async ({ params }, reply) =>
    sendPage(reply, await paymentOf(bank, params.token), clock.now()),
  )

  app.post<{ Params: { token: string } }>(url, { config }, async ({ params: { token }, body }, reply) => {
    await paymentOf(bank, token)
    const { data } = pressed.safeParse(body)
    if (data?.do === 'pay') await bank.show(token, { number: data.card, notices: data.notices })
    if (data?.do === 'confirm') await bank.confirm(token)
    if (data?.do === 'cancel') await bank.cancel(token)
    // The redirect prevents a reload from submitting the form again.
    return reply.headers(HEADERS).redirect(`${SANDBOX_PATH}/${encodeURIComponent(token)}`, 303)
  })
}

async function paymentOf(bank: SandboxBank, token: string): Promise<SandboxPayment> {
  const payment = await bank.ofToken(token)
  if (!payment) throw notFoundBy('token')
  return payment
}

function sendPage(reply: FastifyReply, payment: SandboxPayment, now: number): FastifyReply {
  return reply.headers(HEADERS).type('text/html; charset=utf-8').send(sandboxPage(payment, now))
}
