import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
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
import { launchBrowser, openPage } from '../browser.ts'
import { Installation } from '../installation.ts'
import { type ListedSegment, LiveViewer } from './live-viewer.ts'

/**
 * Number of kills. The default is small, because the test runs on every change. `ONDINE_KILLS` sets a larger number for
 * long runs.
 */
const KILLS = Number(process.env.ONDINE_KILLS ?? 2)
/** Number of orderly restarts (SIGTERM) of the ingest role. */
const RESTARTS = Math.ceil(KILLS / 2)
/** Time for which the web role is switched off, in milliseconds. */
const AWAY_MS = Number(process.env.ONDINE_AWAY_SECONDS ?? 15) * 1000
const SEGMENT_MS = 2000
/**
 * Time limit from the start of the new process until a viewer gets new media, in milliseconds. The start itself
 * takes 1 to 2 s on an idle machine, and several times as long on a busy one.
 */
const BACK_MS = 5000
/** Time without an ingest process, in milliseconds. After 20 s the keeper gives up (`ALONE_MS`). */
const LONG_MS = 25_000
/** Longest wait for a busy machine, in milliseconds. */
const PATIENCE_MS = 60_000
const EMAIL = 'camille@ondine.test'
/**
 * Returns the e-mail address of the viewer of an input, by the input's kind. Each input has its own viewer,
 * because a person may watch only a few streams at once.
 */
const viewerOf = (kind: string) => `${kind.toLowerCase()}@ondine.test`
const PASSWORD = 'Ondine-2026!'

/** Kinds of inputs, in the order of their channels. */
const KINDS = ['UDP', 'SRT', 'RTMP', 'HTTP', 'HLS'] as const
const FIRST_CHANNEL = 20
const STREAM_KEY = 'the-key-of-the-studio'
/** Time after which a sender connects again, in milliseconds. OBS waits as long. */
const RECONNECT_MS = 2000

/** Effects of one kill on a viewer. */
interface Outage {
  /** Kind of the input, one of `KINDS`. */
  kind: string
  /** Time from the kill to the first new segment, in milliseconds. */
  backMs: number
  /**
   * Part of `backMs` in which the new process started, in milliseconds. Small when another process was already
   * running.
   */
  startMs: number
  /**
   * Length of the missing media between the last segment before the kill and the first segment after it, in
   * milliseconds. Measured by the decode times of the source.
   */
  lostMs: number
  /**
   * Time from the last segment before the kill to the first segment after it, in milliseconds, by the dates of the
   * playlist.
   */
  gapMs: number
}

describe('an installation of three roles, whose processes are killed', {
  timeout: 300_000 + KILLS * 30_000 + AWAY_MS,
}, () => {
  let postgres: TemporaryPostgres
  let connection: Connection
  let folder: string
  /** Functions that stop or remove what the test has started. They run in reverse order. */
  const ends: (() => unknown)[] = []
  let [web, worker, ingest]: Installation[] = []
  /** The viewers, one for each input. */
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

    for (const email of [EMAIL, ...KINDS.map(viewerOf)])
      await command('accounts create', [email], { password: PASSWORD })
    const provider = await provide(source)
    for (const [index, kind] of KINDS.entries()) {
      const channel = `${FIRST_CHANNEL + index}`
      await command('inputs add', [channel, await sendAs(kind, source, provider)], { name: kind })
      await command('channels set', [channel], { free: 'yes', timeShift: '3600' })
    }
    const rows = await connection.db.select().from(channels).orderBy(asc(channels.number))
    idChannel = rows[0]?.id ?? 0
    tokens = await signIn(EMAIL)
    viewers = await Promise.all(
      rows.map(async ({ id }, index) => {
        const kind = KINDS[index] ?? ''
        return { viewer: new LiveViewer(await playlistAddress(id, await signIn(viewerOf(kind)))), kind }
      }),
    )
    ends.push(async () => {
      for (const { viewer } of viewers) await viewer.close()
    })
    for (const { viewer } of viewers) await viewer.sees(({ number }) => number >= 2, PATIENCE_MS)
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  /** Sends a file as a signal of a kind. @returns the address of its input */
  async function sendAs(kind: (typeof KINDS)[number], source: string, provider: string): Promise<string> {
    if (kind === 'HTTP') return `${provider}/live.ts`
    if (kind === 'HLS') return `${provider}/hls/live.m3u8`
    const port = await freePort()
    if (kind === 'RTMP') {
      send(source, commandLine`-f flv rtmp://127.0.0.1:${port}/live/${STREAM_KEY}`)
      return `rtmp://127.0.0.1:${port}/live/${STREAM_KEY}`
    }
    const address = `${kind.toLowerCase()}://127.0.0.1:${port}`
    send(source, commandLine`-f mpegts ${address}?pkt_size=1316`)
    return kind === 'SRT' ? `${address}?mode=listener` : address
  }

  /** Sends a file until the test is over. When the connection is lost, it connects again as OBS does. */
  function send(source: string, to: readonly string[]): void {
    let isOver = false
    let sender: ChildProcess
    const begin = (): void => {
      if (isOver) return
      const words = [...commandLine`-nostdin -v error -re -i ${source} -c copy`, ...to]
      sender = spawn('ffmpeg', words, { stdio: 'ignore' }).once('exit', () => setTimeout(begin, RECONNECT_MS))
    }
    begin()
    ends.push(() => {
      isOver = true
      sender.kill('SIGKILL')
    })
  }

  /** Serves a signal as MPEG-TS without an end, and as HLS. @returns the origin */
  async function provide(source: string): Promise<string> {
    const hls = join(folder, 'hls')
    await mkdir(hls)
    send(source, commandLine`-f hls -hls_time 2 -hls_flags delete_segments ${join(hls, 'live.m3u8')}`)
    const server = createHttpServer((request, response) => {
      const [url = ''] = (request.url ?? '').split('?')
      if (url !== '/live.ts') {
        createReadStream(join(hls, basename(url)))
          .on('error', () => response.writeHead(404).end())
          .pipe(response)
        return
      }
      const words = commandLine`-nostdin -v error -re -i ${source} -c copy -f mpegts pipe:1`
      const sender = spawn('ffmpeg', words, { stdio: ['ignore', 'pipe', 'ignore'] })
      sender.stdout.pipe(response)
      response.once('close', () => sender.kill('SIGKILL'))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    ends.push(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const inRole = (role: string, more: Record<string, string> = {}): Installation =>
    Installation.inRole(role, folder, {
      DATABASE_URL: postgres.url,
      DEMO: 'false',
      RECORDING_EARLY_SECONDS: '0',
      RECORDING_LATE_SECONDS: '0',
      RECORDING_MISSING_PERCENT: '100',
      OUTBOUND_ALLOW: '127.0.0.1',
      ...more,
    })

  /** Runs a command in the worker, as `ondine` does. @returns the output of the command */
  async function command(name: string, args: string[], options = {}): Promise<string> {
    const said: string[] = []
    const control = {
      signal: new AbortController().signal,
      report: ({ text }: { text: string }) => void said.push(text),
    }
    expect(await runRemotely(folder, name, { arguments: args, options }, control), name).toBe(true)
    return said.join('\n')
  }

  async function call<O extends Operation>(
    operation: O,
    input: InputOf<O>,
    headers: Record<string, string> = tokens,
  ): Promise<OutputOf<O>> {
    const fields = encodeInput(input)
    const path = fillPath(operation.path, fields)
    const isRead = operation.method === 'GET'
    const response = await fetch(`${web?.origin}${path}`, {
      method: operation.method,
      headers,
      ...(isRead ? {} : { body: new URLSearchParams(fields) }),
    })
    const body = (await response.json()) as Envelope<OutputOf<O>>
    if (operation.answer === 'bare') return body as OutputOf<O>
    if (!body.status) throw new Error(`${operation.name}: ${JSON.stringify(body.error)}`)
    return body.result
  }

  async function signIn(email: string): Promise<Record<string, string>> {
    const grant = { username: email, password: PASSWORD, grant_type: 'password' } as const
    const signedIn = { 'x-auth-token': (await call(oauthToken, grant, {})).access_token }
    const [profile] = await call(listProfiles, {}, signedIn)
    const active = await call(activateProfile, { idProfile: profile?.id ?? 0 }, signedIn)
    return { ...signedIn, 'x-profile-token': active.profileToken }
  }

  /** Waits until the channel is on the air. @returns the address of a media playlist of its video */
  async function playlistAddress(id: number, headers: Record<string, string>): Promise<string> {
    const { url } = await vi.waitFor(
      async () => await call(channelStream, { idChannel: id, format: 'hls' }, headers),
      { timeout: PATIENCE_MS, interval: 200 },
    )
    const main = new URL(url, web?.origin)
    const lines = (await (await fetch(main)).text()).split('\n')
    const after = lines.findIndex((line) => line.startsWith('#EXT-X-STREAM-INF')) + 1
    return new URL(lines[after] ?? '', main).href
  }

  /**
   * Ends a process, runs `next`, which lets another process receive the inputs, and waits until every viewer gets
   * new media.
   */
  async function outages(
    ended: Installation | undefined,
    next: () => Promise<void>,
    signal: NodeJS.Signals = 'SIGKILL',
  ): Promise<Outage[]> {
    const lasts = viewers.map(({ viewer }) => viewer.segments.at(-1)?.discontinuity ?? 0)
    const endedAt = Date.now()
    await ended?.kill(signal)
    const beganAt = Date.now()
    const started = next().then(() => Date.now() - beganAt)
    const found = await Promise.all(
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
    const startMs = await started
    return found.map((each) => ({ ...each, startMs }))
  }

  /** Ends ingest several times, each time at another moment of a segment, and starts it again at once. */
  async function restarts(signal: NodeJS.Signals, times: number): Promise<Outage[]> {
    const found: Outage[] = []
    for (let time = 0; time < times; time++) {
      await delay((time * 397) % SEGMENT_MS)
      found.push(...(await outages(ingest, async () => await ingest?.start(), signal)))
    }
    console.log(`Outages of ${times} times ${signal}:`, JSON.stringify(found))
    return found
  }

  function expectShort(found: readonly Outage[]): void {
    expect(found).not.toEqual([])
    for (const { backMs, startMs, lostMs, gapMs } of found) {
      expect(backMs - startMs).toBeLessThan(BACK_MS)
      // The new process may deliver a segment again that the old process stored just before the kill.
      expect(Math.abs(lostMs)).toBeLessThanOrEqual(SEGMENT_MS)
      expect(gapMs).toBeLessThanOrEqual(SEGMENT_MS)
    }
  }

  it(`is on the air again 5 s after its start, and loses at most a segment, each of ${KILLS} times that ingest is killed`, async () => {
    expectShort(await restarts('SIGKILL', KILLS))
  })

  it('a browser that plays goes on by itself when ingest is killed', async () => {
    const browser = await launchBrowser()
    ends.push(async () => await browser.close())
    const { page } = await openPage(browser, web?.origin ?? '')
    await page.request.post('/oauth/token', {
      form: { username: EMAIL, password: PASSWORD, grant_type: 'password' },
    })
    await page.goto(`/player?channel=${idChannel}`)
    const positionOf = async () =>
      await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0)
    await expect.poll(positionOf, { timeout: PATIENCE_MS }).toBeGreaterThan(0)
    await page.evaluate(watchFrames)
    const found = await restarts('SIGKILL', KILLS)
    const position = await positionOf()
    await expect.poll(positionOf, { timeout: PATIENCE_MS }).toBeGreaterThan(position + 10)
    const longest = await page.evaluate(() => window.longestPauseMs)
    console.log(`Longest pause between two frames: ${Math.round(longest)} ms`)
    expect(longest).toBeLessThan(BACK_MS + Math.max(...found.map(({ startMs }) => startMs)))
    await browser.close()
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
    const found = await outages(first, async () => undefined)
    console.log('Outage of a takeover:', JSON.stringify(found))
    expectShort(found)
    expect(await command('inputs status', ['20'])).toContain('on the air from its main address')
  })

  it('notes in a recording what an ingest role that is away for long has missed', async () => {
    const viewer = viewers[0]?.viewer
    const startsAt = viewer?.segments.at(-1)?.startsAt ?? 0
    const [found] = await outages(ingest, async () => {
      await delay(LONG_MS)
      await ingest?.start()
    })
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

declare global {
  interface Window {
    /** Longest time between two frames of the player. */
    longestPauseMs: number
  }
}

/** Measures the pauses between the frames of the player from now on. Runs in the page. */
function watchFrames(): void {
  const video = document.querySelector('video')
  window.longestPauseMs = 0
  let last = performance.now()
  const look = () => {
    const now = performance.now()
    window.longestPauseMs = Math.max(window.longestPauseMs, now - last)
    last = now
    video?.requestVideoFrameCallback(look)
  }
  video?.requestVideoFrameCallback(look)
}

async function freePort(): Promise<number> {
  // The port must be free for TCP and for UDP.
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
