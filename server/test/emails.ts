import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'

/** An e-mail that the service has sent. */
export interface ReceivedEmail {
  to: string
  subject: string
  text: string
  html: string
  /** Link of the e-mail's button; empty if the e-mail has no button. */
  link: string
}

/** Returns the e-mails in the outbox of an installation, the oldest first. */
export async function readOutbox(dataDir: string): Promise<ReceivedEmail[]> {
  const folder = join(dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  const letters = names.filter((name) => /^[^.].*\.txt$/.test(name)).sort()
  return await Promise.all(
    letters.map(async (name) => {
      const written = await readFile(join(folder, name), 'utf8')
      const html = await readFile(join(folder, name.replace(/txt$/, 'html')), 'utf8')
      const [head = '', ...body] = written.split('\n\n')
      const [, to = ''] = /^To: (.*)$/m.exec(head) ?? []
      const [, subject = ''] = /^Subject: (.*)$/m.exec(head) ?? []
      const text = body.join('\n\n')
      return { to, subject, text, html, link: /https?:\/\/\S+/.exec(text)?.[0] ?? '' }
    }),
  )
}

/** Waits until at least `count` e-mails to an address have arrived. Returns them, the oldest first. */
export async function emailsTo(dataDir: string, to: string, count: number): Promise<ReceivedEmail[]> {
  let received: ReceivedEmail[] = []
  await expect
    .poll(
      async () => {
        received = (await readOutbox(dataDir)).filter((letter) => letter.to === to)
        return received.length
      },
      { timeout: 60_000, message: `letters to ${to}` },
    )
    .toBeGreaterThanOrEqual(count)
  return received
}

/** Returns the token in an e-mail's link. */
export function tokenOf({ link }: ReceivedEmail): string {
  return new URL(link).searchParams.get('token') ?? ''
}
