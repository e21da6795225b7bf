import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askResetPassword } from '@ondine/contract/account-calls'
import { encodeInput } from '@ondine/contract/encode-input'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Connection, openDatabase } from '../src/database/connection.ts'
import { readSettings } from '../src/env.ts'
import { liveInputs, liveReceivers } from '../src/features/inventory/line-up/line-up.table.ts'
import {
  addLiveChannel,
  findInputs,
  HOLD_SECONDS,
  holdInputs,
  putInput,
  releaseInputs,
  removeInput,
} from '../src/features/streams/live-inputs/live-inputs.repository.ts'
import { LiveInputs } from '../src/features/streams/live-inputs/live-inputs.service.ts'
import { freePort } from '../src/ingest/live/free-port.ts'
import { copyable, ffmpeg, picture, stereo, tone } from '../src/ingest/test-media.ts'
import { readRoles } from '../src/roles.ts'
import { createService, type Service } from '../src/service.ts'
import { buildersOf } from './builders.ts'
import { doctorSays, runCommand } from './commands.ts'
import { DATABASES, freshPostgres } from './databases.ts'
import { emailsTo, readOutbox } from './emails.ts'

/** Long enough for jobs and signals on a busy machine. */
const PATIENCE = { timeout: 40_000 }

it.each([
  ['web', 'web'],
  ['ingest, worker', 'worker,ingest'],
])('reads the roles "%s"', (text, roles) => {
  expect([...readRoles(text)].toSorted()).toEqual(roles.split(',').toSorted())
})

it.each(['', 'web,', 'Web', 'web worker', 'all'])('refuses the roles "%s"', (text) => {
  expect(() => readRoles(text)).toThrow(/is no role\. Roles are web, worker, ingest/)
})

// Not on the embedded database, which allows a single process.
describe.each(DATABASES.filter((kind) => kind === 'postgresql'))('processes with roles, on %s', () => {
  let folder: string
  let database: Awaited<ReturnType<typeof freshPostgres>>
  const services = new Map<string, Service>()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-roles-'))
    database = await freshPostgres()
    for (const role of ['web', 'ingest', 'worker']) services.set(role, await open(role))
  })
  afterAll(async () => {
    for (const service of services.values()) await service.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Opens a process with a separate folder, so that its files show which process did the work. */
  async function open(role: string): Promise<Service> {
    const settings = readSettings({
      DATA_DIR: join(folder, role),
      DATABASE_URL: database.url,
      LOG_LEVEL: 'silent',
      OVERLOAD_DELAY_MS: '0',
    })
    return await createService({ settings, roles: readRoles(role), log: pino({ level: 'silent' }) })
  }

  function process(role: string): Service {
    const service = services.get(role)
    if (!service) throw new Error(`No process has the role ${role}.`)
    return service
  }

  it.each(['worker', 'ingest'])('the role %s answers only for its health', async (role) => {
    const { app } = process(role)
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready' })
    const metrics = (await app.inject('/metrics')).body
    expect(metrics).toContain(`ondine_role{role="${role}"} 1`)
    expect(metrics).toContain('ondine_role{role="web"} 0')
    for (const path of ['/', '/time', '/proxy/homeContent', '/media/x/v/1.m4s'])
      expect([path, (await app.inject(path)).statusCode]).toEqual([path, 404])
  })

  it('a job that the role web enqueues is run by a worker', async () => {
    const web = process('web')
    const { account } = await buildersOf(web.context).actor()
    web.start()
    const { statusCode } = await web.app.inject({
      method: 'POST',
      url: askResetPassword.path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `${new URLSearchParams(encodeInput({ email: account.email }))}`,
    })
    expect(statusCode).toBe(200)
    process('worker').start()
    await emailsTo(join(folder, 'worker'), account.email, 1)
    expect(await readOutbox(join(folder, 'web'))).toEqual([])
  })

  it('an input is taken over as soon as the connection of its process has ended, and not before', async () => {
    const { db, connection } = process('worker').context
    const channelId = await addLiveChannel(db, 30, 'Direct')
    await putInput(db, channelId, 'udp://127.0.0.1:5000', null)
    const [input] = await findInputs(db, Date.now())
    const reports = [{ inputId: input?.id ?? 0, status: null }]
    const holds = async (by: Connection) => (await holdInputs(by.db, by.processId, reports)).size === 1
    const source = { DATA_DIR: folder, DATABASE_URL: database.url, DATABASE_POOL_SIZE: 2 }
    const killed = await openDatabase(source)
    const heldAt = performance.now()
    expect([await holds(killed), await holds(connection), await holds(killed)]).toEqual([true, false, true])
    // Stands in for a kill, after which the system closes the process's connections.
    await killed.close()
    await expect.poll(async () => await holds(connection), { interval: 20 }).toBe(true)
    expect(performance.now() - heldAt).toBeLessThan(HOLD_SECONDS * 1000)
    await releaseInputs(db, connection.processId)
    await removeInput(db, channelId)
  })

  it('inputs of one RTMP port are received by one process, and another one waits for it and says so', async () => {
    const { db, connection } = process('worker').context
    const port = await freePort()
    const channelIds: number[] = []
    for (const number of [31, 32]) {
      channelIds.push(await addLiveChannel(db, number, `Studio ${number}`))
      await putInput(
        db,
        channelIds.at(-1) ?? 0,
        `rtmp://127.0.0.1:${port}/live/key-of-studio-${number}`,
        null,
      )
    }
    const [first, second] = await findInputs(db, Date.now())
    await holdInputs(db, connection.processId, [{ inputId: first?.id ?? 0, status: null }])
    const other = await open('web,worker')
    const { context } = other
    const said = vi.spyOn(context.log, 'info')
    const waiting = new LiveInputs(context)
    await waiting.start(new AbortController().signal)
    const holders = async () =>
      new Map(
        (await db.select().from(liveReceivers)).map(({ inputId, holder }) => [inputId, holder] as const),
      )
    expect(await holders()).toEqual(new Map([[first?.id, connection.processId]]))
    expect(said).toHaveBeenCalledWith(
      { channelId: second?.channelId },
      'an RTMP input waits: another process receives its port',
    )
    await releaseInputs(db, connection.processId)
    const own = context.connection.processId
    await expect
      .poll(holders, PATIENCE)
      .toEqual(new Map([first?.id, second?.id].map((id) => [id, own] as const)))
    await waiting.close()
    await other.close()
    for (const id of channelIds) await removeInput(db, id)
  })

  it('the role ingest receives live inputs, and no other role does', async () => {
    const source = join(folder, 'source.ts')
    await ffmpeg([...picture({ seconds: 4 }), ...tone(4), ...copyable, ...stereo, source])
    const worker = process('worker')
    await runCommand(worker, 'inputs add', ['20', source], { name: 'Direct' })
    // After `settled`, each process has received the notices of the change.
    for (const role of ['web', 'worker']) await process(role).context.connection.changes.settled()
    expect(await runCommand(worker, 'inputs list')).toContain('no process receives it')
    process('ingest').start()
    await expect.poll(async () => await runCommand(worker, 'inputs list'), PATIENCE).toContain('on the air')
    const rows = (await process('ingest').app.inject('/metrics')).body
    expect(rows).toMatch(/ondine_input_on_air\{channel="\d+",address="main"\} 1/)
    for (const role of ['web', 'worker'])
      expect((await process(role).app.inject('/metrics')).body).not.toContain('ondine_input_on_air')
  })

  it('doctor lists the processes that run, and the roles that are missing', async () => {
    const worker = process('worker')
    const says = async (): Promise<string> => await doctorSays(worker)
    const processes = await worker.context.connection.processes()
    expect(processes.map(({ roles, isThis }) => [roles, isThis])).toEqual([
      ['web', false],
      ['ingest', false],
      ['worker', true],
    ])
    expect(await says()).not.toContain('roles: no process has')
    await process('ingest').close()
    services.delete('ingest')
    await expect.poll(says).toMatch(/process since .*: worker \(this one\)[^]*✗ roles: no process has ingest/)
    await expect(runCommand(worker, 'doctor')).rejects.toThrow('of the checks failed')
    await worker.context.db.delete(liveInputs)
    expect(await says()).toContain('! roles: no process has ingest')
    expect(await says()).not.toContain('✗ roles')
  })
})
