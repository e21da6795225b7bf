import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { askResetPassword, updatePassword } from '@ondine/contract/account-calls'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildersOf, PASSWORD } from '../../../../test/builders.ts'
import { startTestService, type TestService } from '../../../../test/service.ts'
import { accountLinks } from '../accounts/account-links.table.ts'
import { accounts } from '../accounts/accounts.table.ts'

/** A mail server with the commands of RFC 5321 that the tests need. */
class MailServer {
  readonly letters: string[] = []
  /** Arguments of the commands RCPT TO. */
  readonly recipients: string[] = []
  /** Number of connections that the server has closed. */
  closed = 0
  /** The server's reply to an e-mail. */
  answer = '250 taken'
  /** When the server closes the connection without a reply; undefined for never. */
  closesAt: 'greeting' | 'sender' | 'end of text' | undefined
  readonly #server: Server = createServer((socket) => this.#serve(socket))

  async listen(port = 0): Promise<number> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The mail server has no port.')
    return address.port
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return
    this.#server.close()
    await once(this.#server, 'close')
  }

  #serve(socket: Socket): void {
    const lose = () => {
      this.closed += 1
      socket.destroy()
    }
    if (this.closesAt === 'greeting') {
      lose()
      return
    }
    let letter: string[] | undefined
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 mail.test')
    createInterface(socket).on('line', (line) => {
      if (line.startsWith('RCPT TO:')) this.recipients.push(line.slice('RCPT TO:'.length))
      if (letter !== undefined && line !== '.') letter.push(line)
      else if (line.startsWith('MAIL FROM:') && this.closesAt === 'sender') lose()
      else if (line === '.' && this.closesAt === 'end of text') lose()
      else if (letter !== undefined) {
        if (this.answer.startsWith('250')) this.letters.push(letter.join('\n'))
        letter = undefined
        say(this.answer)
      } else if (line === 'DATA') {
        letter = []
        say('354 go on')
      } else if (line === 'QUIT') socket.end('221 bye\r\n')
      else say('250 mail.test')
    })
  }
}

describe('e-mails through a mail server', () => {
  const first = new MailServer()
  const second = new MailServer()
  let port: number
  let service: TestService
  let said: string[]
  let build: ReturnType<typeof buildersOf>

  beforeAll(async () => {
    port = await first.listen()
    service = await startTestService('embedded', {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      SIGN_IN_ATTEMPTS: 1000,
    })
    build = buildersOf(service.context)
    said = []
    for (const level of ['info', 'error'] as const) {
      vi.spyOn(service.context.log, level).mockImplementation((...given: unknown[]) => {
        said.push(`${level}: ${String(given.at(-1))}`)
      })
    }
    service.start()
  })
  afterAll(async () => {
    await service.remove()
    await Promise.all([first.close(), second.close()])
  })

  const ask = async () => {
    const { account } = await build.actor()
    expect((await service.call(askResetPassword, { email: account.email })).status).toBe(200)
    return account.email
  }
  const linksFor = async (email: string) => {
    const { db } = service.context
    const [account] = await db.select().from(accounts).where(eq(accounts.email, email))
    return await db.$count(accountLinks, eq(accountLinks.accountId, account?.id ?? 0))
  }
  const emailsTo = (server: MailServer, email: string) =>
    server.letters.filter((letter) => letter.includes(`To: ${email}`))

  it('are sent, one for each request', async () => {
    const email = await ask()
    await expect.poll(() => emailsTo(first, email).length, { timeout: 60_000 }).toBe(1)
    expect(emailsTo(first, email)[0]).toContain('From: Ondine <no-reply@localhost>')
  }, 120_000)

  it('reach no other address if the stored address contains separators', async () => {
    const { account, tokens } = await build.actor()
    // A migration can store an address that the forms refuse.
    const email = `jean,other-${account.id}@ondine.test`
    await service.context.db.update(accounts).set({ email }).where(eq(accounts.id, account.id))
    const password = 'Ondine-2027!'
    const change = { currentPassword: PASSWORD, password, passwordConfirm: password }
    expect((await service.call(updatePassword, change, tokens)).status).toBe(200)
    const reached = () => first.recipients.filter((recipient) => recipient.includes(`other-${account.id}`))
    await expect.poll(reached, { timeout: 60_000 }).toEqual([`<"jean,other-${account.id}"@ondine.test>`])
  }, 120_000)

  it('wait while the server refuses them or is down, which is logged once, and are sent when it is back', async () => {
    first.answer = '451 try again later'
    const refused = await ask()
    const failures = () => said.filter((line) => line.startsWith('error: the mail server'))
    await expect.poll(failures, { timeout: 60_000 }).toHaveLength(1)
    // The link of an e-mail that nobody received does not count towards the limit of five an hour.
    await expect.poll(() => linksFor(refused)).toBe(0)
    await first.close()
    const late = await ask()
    expect(failures()[0]).toContain(`127.0.0.1:${port} did not accept an e-mail; it is tried again later`)
    // Retries, because another process may occupy the port for a moment.
    await vi.waitFor(async () => await second.listen(port), { timeout: 60_000, interval: 500 })
    // Retries of the service start after five seconds, so this takes a while.
    await expect.poll(() => emailsTo(second, late).length, { timeout: 120_000 }).toBe(1)
    await expect.poll(() => emailsTo(second, refused).length, { timeout: 120_000 }).toBe(1)
    expect(emailsTo(first, refused)).toHaveLength(0)
    expect(failures()).toHaveLength(1)
    expect(said).toContain('info: e-mails can be sent again')
  }, 480_000)

  it.each(['greeting', 'sender'] as const)(
    'wait while the server closes connections at the %s, without using up the limit of links',
    async (moment) => {
      const before = second.closed
      second.closesAt = moment
      const email = await ask()
      await expect.poll(() => second.closed, { timeout: 60_000 }).toBeGreaterThan(before)
      await expect.poll(() => linksFor(email)).toBe(0)
      second.closesAt = undefined
      await expect.poll(() => emailsTo(second, email).length, { timeout: 120_000 }).toBe(1)
      expect(await linksFor(email)).toBe(1)
    },
    240_000,
  )

  it('keep their link if the server may have accepted them', async () => {
    const before = second.closed
    second.closesAt = 'end of text'
    const email = await ask()
    await expect.poll(() => second.closed, { timeout: 60_000 }).toBeGreaterThan(before)
    second.closesAt = undefined
    await expect.poll(() => emailsTo(second, email).length, { timeout: 120_000 }).toBe(1)
    expect(await linksFor(email)).toBe(2)
  }, 240_000)
})
