import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { oauthToken } from '@ondine/contract/accounts'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DataInUseError, ownData, socketPath } from '../src/control/ownership.ts'
import { runRemotely } from '../src/control/socket.ts'
import { copyEmbedded, DATABASES, freshPostgres } from './databases.ts'

const ONDINE = fileURLToPath(new URL('../../script/ondine', import.meta.url))

describe('the command line', { timeout: 300_000 }, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-command-line-'))
    await copyEmbedded(join(folder, 'data'))
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

  it('suggests a similar command, and shows its version', async () => {
    await expect(ondine(['acounts', 'list'])).rejects.toMatchObject({
      stderr: expect.stringContaining('Did you mean accounts?'),
    })
    await expect(ondine(['--version'])).resolves.toMatchObject({
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  })

  it.each(['web', 'worker,ingest'])('needs PostgreSQL for the roles %s alone', async (roles) => {
    await expect(ondine(['serve', '--role', roles])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^--role needs DATABASE_URL: only one process can open the embedded database/,
      ),
    })
  })

  it('refuses a DATA_DIR that is a file', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    await expect(ondine(['storefronts', 'list'], { DATA_DIR: file })).rejects.toMatchObject({
      code: 1,
      stderr: `DATA_DIR=${file} is not a folder. Set the path of a folder.\n`,
    })
  })

  it('serve says that its port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    try {
      await expect(ondine(['serve'], { PORT: `${port}` })).rejects.toMatchObject({
        code: 1,
        stderr: `HOST=127.0.0.1, PORT=${port}: another program uses this port; stop it, or set another PORT.\n`,
      })
    } finally {
      other.close()
    }
  })

  it.each([
    [['inputs', 'list'], 'inputs add'],
    [['inputs', 'status'], 'inputs add'],
    [['imports', 'list'], 'import <folder>'],
    [['operators', 'list'], 'operators create'],
  ])('%j of an empty installation says how to begin', async (args, words) => {
    expect((await ondine(args)).stdout).toContain(words)
  })

  it('import names a folder without films, and the exit code is not 0', async () => {
    const empty = join(folder, 'empty')
    await mkdir(empty)
    await expect(ondine(['import', empty])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`There is no film or episode in ${empty}.`),
    })
  })

  describe('while the database does not answer', () => {
    const away = { DATABASE_URL: 'postgres://ondine:geheim@127.0.0.1:9/tv' }
    const words =
      'The database at postgres://ondine:***@127.0.0.1:9/tv cannot be opened: connect ECONNREFUSED 127.0.0.1:9. Check DATABASE_URL.'

    it.each([[['serve', '--role', 'worker']], [['storefronts', 'list']]])(
      '%j ends with the reason',
      async (command) => {
        await expect(ondine(command, away)).rejects.toMatchObject({
          code: 1,
          stdout: '',
          stderr: `${words}\n`,
        })
      },
    )

    it('doctor says so, and checks the rest', async () => {
      const run = ondine(['doctor'], away)
      await expect(run).rejects.toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/✓ data folder: [^]*\nSettings:\n/),
        stderr: expect.stringMatching(/^\d of the checks failed\.\n$/),
      })
      await expect(run).rejects.toMatchObject({ stdout: expect.stringContaining(`\n✗ database: ${words}\n`) })
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

  it('a command says that it begins a new installation, and a later one does not', async () => {
    const away = { DATA_DIR: join(folder, 'elsewhere') }
    const first = await ondine(['storefronts', 'list'], away)
    expect(first.stderr).toContain(
      `there was no installation in ${away.DATA_DIR}, so this command began a new one`,
    )
    expect((await ondine(['storefronts', 'list'], away)).stderr).toBe('')
  })

  it('a command of a user who may not use the installation ends with an instruction', async () => {
    const dataDir = join(folder, 'forbidden')
    await mkdir(dataDir, { mode: 0o000 })
    // Permissions do not bind root, so as root the command runs as another user.
    const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    await chmod(folder, 0o755)
    const run = promisify(execFile)(ONDINE, ['storefronts', 'list'], {
      env: environment({ DATA_DIR: dataDir }),
      ...other,
    })
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^.*EACCES.*\nRun ondine as the user of the service.*\n$/),
    })
  })

  it('a command whose reader leaves early ends quietly', async () => {
    const command = spawn(ONDINE, ['doctor'], { env: environment() })
    const said = text(command.stderr)
    command.stdout.destroy()
    await once(command, 'exit')
    expect(await said).not.toMatch(/^ +at |EPIPE/m)
  })

  it('a service that ends refuses commands, and owns its data until its database is closed', async () => {
    const service = spawn(ONDINE, ['serve'], { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(createInterface(service.stdout), 'line')) as [string]
    // A call whose body does not arrive delays the end.
    const call = connect(Number(/\d+$/.exec(line)?.[0]), '127.0.0.1')
    call.write(
      `POST ${oauthToken.path} HTTP/1.1\r\nHost: tv.test\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
    )
    await once(call, 'data')
    service.kill('SIGTERM')
    const dataDir = join(folder, 'data')
    const control = { signal: new AbortController().signal, report: () => undefined }
    const command = async () =>
      await runRemotely(dataDir, 'storefronts list', { arguments: [], options: {} }, control)
    await vi.waitFor(
      async () => await expect(command()).rejects.toThrow('Ondine is ending. Run the command'),
      { timeout: 60_000 },
    )
    await expect(ownData(dataDir, (server) => server)).rejects.toThrow(DataInUseError)
    call.destroy()
    expect(await once(service, 'exit')).toEqual([0, null])
    expect(await command()).toBe(false)
  })

  it.runIf(DATABASES.includes('postgresql'))(
    'a command without a service owns the data until its database is closed',
    async () => {
      const database = await freshPostgres()
      const dataDir = join(folder, 'alone')
      const client = new Client({ connectionString: database.url })
      await client.connect()
      // The connection for notices, which represents a process (`postgres.ts`).
      const processes = `select from pg_stat_activity where datname = $1 and application_name like 'ondine %'`
      const command = ondine(['storefronts', 'list'], { DATA_DIR: dataDir, DATABASE_URL: database.url })
      await vi.waitFor(() => access(socketPath(dataDir)), { timeout: 60_000, interval: 5 })
      let owner: Server | undefined
      while (owner === undefined) owner = await ownData(dataDir, (server) => server).catch(() => undefined)
      expect((await client.query(processes, [database.name])).rowCount).toBe(0)
      await client.end()
      await command
      owner.close()
      await database.drop()
    },
  )

  it('prints an address at which it answers', async () => {
    const service = spawn(ONDINE, ['serve'], {
      env: environment({ HOST: '127.0.0.2' }),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(createInterface(service.stdout), 'line')) as [string]
    const address = /http:\S+$/.exec(line)?.[0] ?? ''
    expect(new URL(address).hostname).toBe('127.0.0.2')
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
    service.kill('SIGTERM')
    await once(service, 'exit')
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
