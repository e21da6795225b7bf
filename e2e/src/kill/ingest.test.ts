import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { oauthToken } from '@ondine/contract/accounts'
import { encodeInput, fillPath } from '@ondine/contract/encode-input'
import type { Envelope, InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import { channelStream } from '@ondine/contract/playback'
import { activateProfile, listProfiles } from '@ondine/contract/profiles'
import { createRecording, readRecording } from '@ondine/contract/recordings'
import { runRemotely } from '@ondine/server/control/socket'
import { type Connection, openDatabase } from '@ondine/server/database/connection'
import { channels } from '@ondine/server/features/inventory/line-up/line-up.table'
import { accounts } from '@ondine/server/features/people/accounts/accounts.table'
import { addGrant } from '@ondine/server/features/rights/entitlements/grants.service'
import { ensurePackage } from '@ondine/server/features/rights/entitlements/packages.service'
import { programmes } from '@ondine/server/features/television/guide-import/guide.table'
import { commandLine } from '@ondine/server/ingest/command-line'
import { copyable, ffmpeg, picture, stereo, tone } from '@ondine/server/ingest/test-media'
import { asc } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startPostgres, type TemporaryPostgres } from '../../../script/postgres.ts'
import { Installation } from '../installation.ts'
import { type ListedSegment, LiveViewer } from './live-viewer.ts'

/** Few kills on every change. `ONDINE_KILLS` sets a larger number for long runs. */
const KILLS = Number(process.env.ONDINE_KILLS ?? 5)
/** How often the role ingest is restarted in order. */
const RESTARTS = Math.ceil(KILLS / 2)
/** How long the web role is away. */
const AWAY_MS = Number(process.env.ONDINE_AWAY_SECONDS ?? 15) * 1000
const SEGMENT_MS = 2000
/** A viewer sees the channel again within this time after a kill. */
const BACK_MS = 5000
/** The keeper gives up after this time without its process, and the test waits a little longer. */
const LONG_MS = 25_000
/** For what a busy machine does in its own time. */
const PATIENCE_MS = 60_000
const EMAIL = 'camille@ondine.test'
const PASSWORD = 'Ondine-2026!'

/** The inputs, each with its channel. Their senders send to the addresses without options. */
const INPUTS = [
  { channel: '20', kind: 'UDP', address: (port: number) => `udp://127.0.0.1:${port}` },
  { channel: '21', kind: 'SRT', address: (port: number) => `srt://127.0.0.1:${port}?mode=listener` },
]

/** One kill, as a viewer saw it. */
interface Outage {
  /** How the channel is received. */
  kind: string
  /** Time from the kill to the first new segment. */
  backMs: number
  /** Media between the last segment before and the first one after, by the clock of the source. */
  lostMs: number
  /** Time between them, by the dates of the playlist. */
  gapMs: number
}

describe('an installation of three roles, whose processes are killed', {
  timeout: 300_000 + KILLS * 30_000 + AWAY_MS,
}, () => {
  let postgres: TemporaryPostgres
  let connection: Connection
  let folder: string
  /** Undoes what was started, in reverse. */
  const ends: (() => unknown)[] = []
  let [web, worker, ingest]: Installation[] = []
  /** One for each input. */
  let viewers: { viewer: LiveViewer; kind: string }[] = []
  let idChannel = 0
  let tokens: Record<string, string> = {}

  beforeAll(async () => {
    postgres = startPostgres()
    ends.push(() => postgres.stop())
    folder = await mkdtemp(join(tmpdir(), 'ondine-roles-'))
    ends.push(async () => await rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    web = inRole('web', { PORT: `${await freePort()}` })
    worker = inRole('worker')
    ingest = inRole('ingest')
    ends.push(async () => {
      for (const each of [web, worker, ingest]) await each?.kill('SIGTERM')
    })
    const seconds = 150 + (KILLS + RESTARTS) * 10 + AWAY_MS / 1000 + LONG_MS / 1000
    const source = join(folder, 'source.ts')
    await ffmpeg([...picture({ seconds }), ...tone(seconds), ...copyable, ...stereo, source])
    await Promise.all([web.start(), worker.start(), ingest.start()])
    connection = await openDatabase({ DATA_DIR: folder, DATABASE_URL: postgres.url, DATABASE_POOL_SIZE: 2 })
    ends.push(async () => await connection.close())

    await command('accounts create', [EMAIL], { password: PASSWORD })
    for (const { channel, address } of INPUTS) {
      const port = await freePort()
      await command('inputs add', [channel, address(port)], { name: channel })
      await command('channels set', [channel], { free: 'yes', timeShift: '3600' })
      ends.push(send(source, `${address(port).split('?')[0]}?pkt_size=1316`))
    }
    const rows = await connection.db.select().from(channels).orderBy(asc(channels.number))
    idChannel = rows[0]?.id ?? 0
    tokens = await signIn()
    viewers = await Promise.all(
      rows.map(async ({ id }, index) => ({
        viewer: new LiveViewer(await playlistAddress(id)),
        kind: INPUTS[index]?.kind ?? '',
      })),
    )
    ends.push(async () => {
      for (const { viewer } of viewers) await viewer.close()
    })
    for (const { viewer } of viewers) await viewer.sees(({ number }) => number >= 2, PATIENCE_MS)
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  /** Sends a file as a signal, and begins again when the connection is lost. @returns what ends it */
  function send(source: string, to: string): () => void {
    let isOver = false
    let sender: ChildProcess
    const begin = (): void => {
      if (isOver) return
      const words = commandLine`-nostdin -v error -re -i ${source} -c copy -f mpegts ${to}`
      sender = spawn('ffmpeg', words, { stdio: 'ignore' }).once('exit', () => setTimeout(begin, 500))
    }
    begin()
    return () => {
      isOver = true
      sender.kill('SIGKILL')
    }
  }

  const inRole = (role: string, more: Record<string, string> = {}): Installation =>
    Installation.inRole(role, folder, {
      DATABASE_URL: postgres.url,
      DEMO: 'false',
      RECORDING_EARLY_SECONDS: '0',
      RECORDING_LATE_SECONDS: '0',
      RECORDING_MISSING_PERCENT: '100',
      ...more,
    })

  /** Runs a command in the worker, as `ondine` does. @returns what it says */
  async function command(name: string, args: string[], options = {}): Promise<string> {
    const said: string[] = []
    const control = {
      signal: new AbortController().signal,
      report: ({ text }: { text: string }) => void said.push(text),
    }
    expect(await runRemotely(folder, name, { arguments: args, options }, control), name).toBe(true)
    return said.join('\n')
  }

  async function call<O extends Operation>(operation: O, input: InputOf<O>): Promise<OutputOf<O>> {
    const fields = encodeInput(input)
    const path = fillPath(operation.path, fields)
    const isRead = operation.method === 'GET'
    const response = await fetch(`${web?.origin}${path}`, {
      method: operation.method,
      headers: tokens,
      ...(isRead ? {} : { body: new URLSearchParams(fields) }),
    })
    const body = (await response.json()) as Envelope<OutputOf<O>>
    if (operation.answer === 'bare') return body as OutputOf<O>
    if (!body.status) throw new Error(`${operation.name}: ${JSON.stringify(body.error)}`)
    return body.result
  }

  async function signIn(): Promise<Record<string, string>> {
    const grant = { username: EMAIL, password: PASSWORD, grant_type: 'password' } as const
    tokens = { 'x-auth-token': (await call(oauthToken, grant)).access_token }
    const [profile] = await call(listProfiles, {})
    const active = await call(activateProfile, { idProfile: profile?.id ?? 0 })
    return { ...tokens, 'x-profile-token': active.profileToken }
  }

  /** Waits until the channel is on the air. @returns the address of a playlist of its picture */
  async function playlistAddress(id: number): Promise<string> {
    const { url } = await vi.waitFor(
      async () => await call(channelStream, { idChannel: id, format: 'hls' }),
      { timeout: PATIENCE_MS, interval: 200 },
    )
    const main = new URL(url, web?.origin)
    const lines = (await (await fetch(main)).text()).split('\n')
    const after = lines.findIndex((line) => line.startsWith('#EXT-X-STREAM-INF')) + 1
    return new URL(lines[after] ?? '', main).href
  }

  /** Ends a process, lets `next` receive the inputs, and waits until the viewers see new media. */
  async function outages(
    ended: Installation | undefined,
    next: () => void,
    signal: NodeJS.Signals = 'SIGKILL',
  ): Promise<Outage[]> {
    const lasts = viewers.map(({ viewer }) => viewer.segments.at(-1)?.discontinuity ?? 0)
    const endedAt = Date.now()
    await ended?.kill(signal)
    next()
    return await Promise.all(
      viewers.map(async ({ viewer, kind }, index) => {
        const isNew = ({ discontinuity }: ListedSegment): boolean => discontinuity > (lasts[index] ?? 0)
        const back = await viewer.sees(isNew, PATIENCE_MS)
        const before = viewer.segments.find(({ number }) => number === back.number - 1)
        if (!before) throw new Error('There is no segment before the outage.')
        return {
          kind,
          backMs: back.seenAt - endedAt,
          lostMs: Math.round(back.decodeMs - before.decodeMs - SEGMENT_MS),
          gapMs: back.startsAt - before.endsAt,
        }
      }),
    )
  }

  /** Ends ingest several times, each time at another moment of a segment, and starts it again at once. */
  async function restarts(signal: NodeJS.Signals, times: number): Promise<Outage[]> {
    const found: Outage[] = []
    for (let time = 0; time < times; time++) {
      await delay((time * 397) % SEGMENT_MS)
      const starting: Promise<void>[] = []
      const next = (): void => void starting.push(ingest?.start() ?? Promise.resolve())
      found.push(...(await outages(ingest, next, signal)))
      await Promise.all(starting)
    }
    console.log(`Outages of ${times} times ${signal}:`, JSON.stringify(found))
    return found
  }

  function expectShort(found: readonly Outage[]): void {
    expect(found).not.toEqual([])
    for (const { backMs, lostMs, gapMs } of found) {
      expect(backMs).toBeLessThan(BACK_MS)
      // A segment that was stored just before the kill may come twice.
      expect(Math.abs(lostMs)).toBeLessThanOrEqual(SEGMENT_MS)
      expect(gapMs).toBeLessThanOrEqual(SEGMENT_MS)
    }
  }

  it(`is on the air again within 5 s, and loses at most a segment, each of ${KILLS} times that ingest is killed`, async () => {
    expectShort(await restarts('SIGKILL', KILLS))
  })

  it('loses no more when ingest is stopped and started again', async () => {
    expectShort(await restarts('SIGTERM', RESTARTS))
  })

  it('misses nothing while the web role is away', async () => {
    const before = viewers.map(({ viewer }) => viewer.segments.at(-1)?.number ?? 0)
    for (const { viewer } of viewers) viewer.isAway = true
    await web?.kill('SIGKILL')
    await delay(AWAY_MS)
    await web?.start()
    const back = Date.now()
    for (const [index, { viewer }] of viewers.entries()) {
      viewer.isAway = false
      await viewer.sees(({ startsAt }) => startsAt > back, PATIENCE_MS)
      const since = viewer.segments.filter(({ number }) => number >= (before[index] ?? 0))
      const holes = since.slice(1).filter(({ number, startsAt, decodeMs }, place) => {
        const previous = since[place]
        const isNext = number === (previous?.number ?? 0) + 1 && startsAt === previous?.endsAt
        return !isNext || Math.round(decodeMs - (previous?.decodeMs ?? 0)) !== SEGMENT_MS
      })
      expect(holes).toEqual([])
      expect(since.length).toBeGreaterThan(AWAY_MS / SEGMENT_MS)
    }
  })

  it('continues in a second process of the role ingest when the first is killed', async () => {
    const first = ingest
    ingest = inRole('ingest')
    ends.push(async () => await first?.kill('SIGTERM'))
    await ingest.start()
    expect(await command('doctor', [])).toMatch(/process since .*: ingest$[^]*process since .*: ingest$/m)
    const found = await outages(first, () => undefined)
    console.log('Outage of a takeover:', JSON.stringify(found))
    expectShort(found)
    expect(await command('inputs status', ['20'])).toContain('on the air from its main address')
  })

  it('notes in a recording what an ingest role that is away for long has missed', async () => {
    const viewer = viewers[0]?.viewer
    const startsAt = viewer?.segments.at(-1)?.startsAt ?? 0
    const [found] = await outages(ingest, () => void setTimeout(() => void ingest?.start(), LONG_MS))
    expect(found?.gapMs).toBeGreaterThan(LONG_MS - 2 * SEGMENT_MS)
    const endsAt = (viewer?.segments.at(-1)?.endsAt ?? 0) - SEGMENT_MS
    const { db } = connection
    const [programme] = await db
      .insert(programmes)
      .values({
        channelId: idChannel,
        universalId: 'gap',
        startsAt,
        endsAt,
        titles: { fra: 'Direct' },
        moralityLevel: 0,
      })
      .returning({ id: programmes.id })
    const packageId = await ensurePackage(db, 'recordings', { fra: 'Enregistrements' }, 10)
    const [account] = await db.select({ id: accounts.id }).from(accounts)
    const grant = { source: 'operator', sourceId: 'test', from: startsAt, to: null } as const
    await addGrant(db, { ...grant, accountId: account?.id ?? 0, opens: { packageId } })
    const { id } = await call(createRecording, { idEvent: programme?.id ?? 0, idChannel })
    await expect
      .poll(async () => await call(readRecording, { id }), { timeout: 180_000, interval: 2000 })
      .toMatchObject({ note: 'incomplete', missing: Math.round((found?.gapMs ?? 0) / 1000) })
  })
})

async function freePort(): Promise<number> {
  // Free for both protocols.
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const socket = createSocket('udp4').bind(port, '127.0.0.1')
  await once(socket, 'listening')
  socket.close()
  server.close()
  return port
}
