import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'

/** A letter as its reader has it. */
export interface ReceivedLetter {
  to: string
  subject: string
  text: string
  html: string
  /** Where its button leads; empty where it has none. */
  link: string
}

/** The letters in the outbox of an installation, the oldest first. */
export async function readOutbox(dataDir: string): Promise<ReceivedLetter[]> {
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

/** Waits for the letters that somebody got, at least so many of them. The last is the newest. */
export async function lettersTo(dataDir: string, to: string, count: number): Promise<ReceivedLetter[]> {
  let received: ReceivedLetter[] = []
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

/** The token that the link of a letter carries. */
export function tokenOf({ link }: ReceivedLetter): string {
  return new URL(link).searchParams.get('token') ?? ''
}
