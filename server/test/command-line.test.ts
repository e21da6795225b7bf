import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ONDINE = fileURLToPath(new URL('../../script/ondine', import.meta.url))

describe('the command line', { timeout: 300_000 }, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-command-line-'))
  })
  afterAll(async () => await rm(folder, { recursive: true, force: true }))

  const environment = (more: Record<string, string> = {}) => ({
    PATH: process.env.PATH,
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'silent',
    PORT: '0',
    HOST: '127.0.0.1',
    ...more,
  })
  const ondine = async (args: string[], more: Record<string, string> = {}) =>
    await promisify(execFile)(ONDINE, args, { env: environment(more) })

  it.each([
    [['reticulate'], "unknown command 'reticulate'"],
    [['acounts', 'create', 'me', '--password', 'x'], "unknown command 'acounts'"],
    [['--reticulate'], "unknown option '--reticulate'"],
    [['serve', '--reticulate'], "unknown option '--reticulate'"],
    [['accounts', 'reticulate', '--password', 'x'], "unknown command 'reticulate'"],
    [['accounts', 'create', 'me', '--reticulate'], "unknown option '--reticulate'"],
    [['serve', '--role', 'encoder'], "'encoder' is no role. Roles are web, worker, ingest"],
    [['serve', '--role', ''], 'is no role'],
    [['--role', 'web,,worker'], 'is no role'],
  ])('reports unknown input: %j', async (args, words) => {
    await expect(ondine(args)).rejects.toMatchObject({ stderr: expect.stringContaining(words) })
  })

  it.each(['web', 'worker,ingest'])('needs PostgreSQL for the roles %s alone', async (roles) => {
    await expect(ondine(['serve', '--role', roles])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^--role needs DATABASE_URL: only one process can open the embedded database/,
      ),
    })
  })

  it('reads the password of a new account from ONDINE_PASSWORD; without it, and without --password, creates none', async () => {
    const create = ['accounts', 'create', 'camille@ondine.test']
    await expect(ondine(create)).rejects.toMatchObject({
      stderr: expect.stringContaining('Give a password of at least 8 characters in ONDINE_PASSWORD'),
    })
    const { stdout } = await ondine(create, { ONDINE_PASSWORD: 'Ondine-2026!' })
    expect(stdout).toContain('Created the account camille@ondine.test')
  })

  it.each([
    ['', 'Note: links in e-mails lead to http://localhost'],
    ['https://tv.test', undefined],
  ])('notes at the start with PUBLIC_URL "%s": %s', async (PUBLIC_URL, note) => {
    const service = spawn(ONDINE, ['serve'], {
      env: environment(PUBLIC_URL === '' ? {} : { PUBLIC_URL }),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const reader = createInterface(service.stdout)
    const lines: string[] = []
    reader.on('line', (line) => lines.push(line))
    await once(reader, 'line')
    const address = /http:\S+$/.exec(lines[0] ?? '')?.[0] ?? ''
    // The service logs its notes before it answers the first request, so all notes exist after this one.
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
    service.kill('SIGTERM')
    await Promise.all([once(service, 'exit'), once(reader, 'close')])
    expect(lines.find((line) => line.startsWith('Note:'))).toEqual(
      note === undefined ? undefined : expect.stringContaining(note),
    )
  })
})
