import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Clock } from '../../../clock.ts'
import type { Settings } from '../../../env.ts'
import type { Attachment, Email } from './write-email.ts'

/** A mail server was not reached, or has refused an e-mail. So nobody has received the e-mail. */
export class MailRefused extends Error {
  override name = 'MailRefused'
}

/** Transport for e-mails. */
export interface Mailer {
  /** Destination of the e-mails, for log messages. */
  where: string
  /**
   * Sends an e-mail. @throws MailRefused if it certainly was not sent; another error if it may have been sent, because
   * the mail server did not answer in time
   */
  send(to: string, from: { name: string }, letter: Email & { attachments: Attachment[] }): Promise<void>
}

/** Timeout for a mail server, in milliseconds. */
const PATIENCE_MS = 15_000

/**
 * Opens the transport for e-mails: the mail server at `SMTP_URL`. Without `SMTP_URL`, e-mails are written as files
 * to `DATA_DIR/outbox`.
 */
export function openPost(
  settings: Pick<Settings, 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR'>,
  clock: Clock,
): Mailer {
  if (settings.SMTP_URL === undefined)
    return outbox(join(settings.DATA_DIR, 'outbox'), settings.MAIL_FROM, clock)
  const options = {
    url: settings.SMTP_URL,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    // The e-mail is complete, so nodemailer must not load files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  return {
    where: `the mail server ${new URL(settings.SMTP_URL).host}`,
    send: async (to, from, letter) => {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport(options)
      let hasBegun = false
      transport.use('stream', ({ message }, done) => {
        message.processFunc((text) =>
          Readable.from(
            whenRead(text, () => {
              hasBegun = true
            }),
            { objectMode: false },
          ),
        )
        done()
      })
      try {
        const sender = { name: from.name, address: settings.MAIL_FROM }
        await transport.sendMail({ ...letter, to: recipient(to), from: sender })
      } catch (error) {
        // After a connection that was lost during the text, the server may have accepted the e-mail.
        const isRefusal = !hasBegun || hasAnswered(error)
        throw isRefusal ? new MailRefused('the e-mail was not sent', { cause: error }) : error
      } finally {
        transport.close()
      }
    },
  }
}

/**
 * Returns an address as nodemailer's one recipient. Nodemailer would parse a text, and could read several recipients in
 * it.
 */
function recipient(address: string): { name: string; address: string } {
  return { name: '', address }
}

/**
 * Passes on a stream, and calls `begin` at its first read. Nodemailer reads the text of an e-mail only after the mail
 * server has accepted the sender, the recipient and the command DATA.
 */
async function* whenRead(text: Readable, begin: () => void): AsyncGenerator<Buffer> {
  begin()
  yield* text
}

/** Returns whether an error of nodemailer is the mail server's reply to the e-mail. */
function hasAnswered(error: unknown): boolean {
  return error instanceof Error && typeof Reflect.get(error, 'responseCode') === 'number'
}

/**
 * Opens a transport that writes each e-mail as three files to `folder`: the SMTP message, its HTML and its text.
 */
function outbox(folder: string, address: string, clock: Clock): Mailer {
  let written = 0
  return {
    where: `files in ${folder}`,
    send: async (to, from, letter) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const date = new Date(clock.now())
      const sender = { name: from.name, address }
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
      const { message } = await transport.sendMail({ ...letter, to: recipient(to), date, from: sender })
      // This number sorts e-mails of the same millisecond.
      written += 1
      const moment = date.toISOString().replaceAll(/[:.]/g, '-')
      const name = `${moment}-${String(written).padStart(6, '0')}-${randomBytes(4).toString('hex')}`
      const files = {
        eml: message as Buffer,
        html: letter.html,
        txt: `To: ${to}\nSubject: ${letter.subject}\n\n${letter.text}\n`,
      }
      for (const [ending, content] of Object.entries(files)) {
        // Write under a temporary name first, so that no reader sees an incomplete file.
        const aside = join(folder, `.${name}.${ending}`)
        await writeFile(aside, content, { mode: 0o600 })
        await rename(aside, join(folder, `${name}.${ending}`))
      }
    },
  }
}
