import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { liveEvents } from '@ondine/contract/catalogue'
import { channelStream } from '@ondine/contract/playback'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADDED, addRelay } from './added-channels.ts'
import { signIn, visit } from './browser.ts'
import { openForeignSite, type Watched } from './foreign-page.ts'
import { runCommand } from './operator.ts'
import { callAs } from './people.ts'
import { closeContext } from './reused-contexts.ts'
import { videoState } from './screen.ts'
import { findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

const run = promisify(execFile)

/** Time limit on a busy machine. */
const PATIENCE = { timeout: 90_000, interval: 250 }
const CHANNEL = ADDED.live
/**
 * Length of a programme, in seconds. It is short, so that players often change to the next programme, which has
 * another TrackSet and key.
 */
const PROGRAMME_SECONDS = 10
/** Time for which each player must play, in seconds. It includes at least two boundaries. */
const PLAYED_SECONDS = 25

/** A function that opens a page without a sign-in. */
type Open = ReturnType<typeof testBrowser>

const { origin, dataDir } = sharedService()

/** Waits until a channel is on the air. @returns its id */
async function channelOnAir(open: Open, name: string): Promise<number> {
  const { page } = await open()
  await signIn(page, 'subscriber@ondine.test')
  const { idChannel } = await findChannel(origin, name)
  const input = { idChannel, format: 'dash', start: undefined, parentalProof: undefined } as const
  const ends = async () => await callAs(page, channelStream, input).catch((error: unknown) => error)
  await expect.poll(ends, PATIENCE).toHaveProperty('session')
  return idChannel
}

/** Plays a channel in a third-party player until pictures appear. @returns the page */
async function playElsewhere(
  open: Open,
  site: string,
  idChannel: number,
  format: 'dash' | 'hls',
): Promise<Page> {
  const { page: subscriber } = await open()
  await signIn(subscriber, 'subscriber@ondine.test')
  const input = { idChannel, format, start: undefined, parentalProof: undefined }
  const started = await callAs(subscriber, channelStream, input)
  const { page } = await open({ baseURL: site })
  await page.goto('/')
  const address = new URL(started.url, origin)
  if (format === 'hls' && started.drm) address.searchParams.set('keyformat', 'clearkey')
  const player = {
    url: address.href,
    licenceUrl: started.drm && origin + started.drm.licenceUrl,
    language: 'fr',
  }
  await page.evaluate(`begin(${JSON.stringify(format)}, ${JSON.stringify(player)})`)
  await expect
    .poll(async () => await watchedOn(page), PATIENCE)
    .toSatisfy(({ frames, errors }: Watched) => frames > 0 || errors.length > 0)
  return page
}

const watchedOn = async (page: Page) => await page.evaluate<Watched>('watched()')

/** The formats, each with a third-party player. */
const FORMATS = ['dash', 'hls'] as const

/** Plays a channel in a third-party player for each format, at the same time. @returns their pages */
async function playInBoth(open: Open, site: string, idChannel: number): Promise<Page[]> {
  return await Promise.all(FORMATS.map(async (format) => await playElsewhere(open, site, idChannel, format)))
}

/** Waits until third-party players have each played for `seconds` more, without an error. */
async function playOn(pages: readonly Page[], seconds: number): Promise<void> {
  const before = await Promise.all(pages.map(watchedOn))
  await expect
    .poll(async () => {
      const now = await Promise.all(pages.map(watchedOn))
      const errors = now.flatMap((each) => each.errors)
      return errors.length > 0
        ? errors
        : now.every(({ time }, at) => time - (before[at]?.time ?? 0) > seconds)
    }, PATIENCE)
    .toBe(true)
}

/** Returns the width of the picture that a page shows, and what explains a failure: the state of the video. */
const pictureOn = async (page: Page) =>
  await page.locator('video').evaluate((video: HTMLVideoElement) => ({
    width: video.videoWidth,
    position: video.currentTime,
    paused: video.paused,
    readyState: video.readyState,
    frames: video.getVideoPlaybackQuality().totalVideoFrames,
    buffered: Array.from({ length: video.buffered.length }, (_, index) => [
      video.buffered.start(index),
      video.buffered.end(index),
    ]),
  }))

/** Returns the length of the seekable range that the player shows, in seconds. */
const windowOn = async (page: Page) =>
  Number(await page.locator('input[type=range]').first().getAttribute('max'))

/** Simulates a stall: playback falls further behind by `seconds`, without an action of the viewer. */
async function fallBehind(page: Page, seconds: number): Promise<void> {
  const video = page.locator('video')
  // Outside the buffer, Shaka could jump over the gap, and so undo the stall.
  const buffered = async () => await video.evaluate(bufferedBehind)
  await expect.poll(buffered, PATIENCE).toBeGreaterThan(seconds)
  await video.evaluate((element: HTMLVideoElement, by) => void (element.currentTime -= by), seconds)
}

/** Returns the length of the buffer before the position of a video, in seconds. Runs in the page. */
function bufferedBehind({ buffered, currentTime }: HTMLVideoElement): number {
  const starts = Array.from({ length: buffered.length }, (_, index) => buffered.start(index))
  return currentTime - (starts.findLast((start) => start <= currentTime) ?? currentTime)
}

describe('a live input', () => {
  const open = testBrowser()
  let site: Awaited<ReturnType<typeof openForeignSite>>
  let folder: string
  let sender: ChildProcess

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-live-'))
    const source = join(folder, 'source.ts')
    await run('ffmpeg', [
      ...'-nostdin -v error -f lavfi -i testsrc2=size=320x180:rate=25:duration=400'.split(' '),
      ...'-f lavfi -i sine=frequency=440:sample_rate=48000:duration=400'.split(' '),
      ...'-c:v libx264 -preset ultrafast -bf 2 -pix_fmt yuv420p -g 50 -sc_threshold 0 -c:a aac -ac 2'.split(
        ' ',
      ),
      source,
    ])
    const port = await freePort()
    await runCommand(dataDir, 'inputs add', [`${CHANNEL.number}`, `srt://:${port}`], { name: CHANNEL.name })
    await runCommand(dataDir, 'channels set', [`${CHANNEL.number}`], {
      free: 'yes',
      guideId: 'live.test',
      on: 'yes',
      timeShift: '600',
    })
    const guide = join(folder, 'guide.xml')
    await writeFile(guide, shortProgrammes())
    await runCommand(dataDir, 'guide import', [guide])
    const send = `-nostdin -v error -re -i ${source} -c copy -f mpegts srt://127.0.0.1:${port}?mode=caller`
    sender = spawn('ffmpeg', send.split(' '), { stdio: 'ignore' })
    site = await openForeignSite()
  })
  afterAll(async () => {
    sender.kill('SIGKILL')
    await runCommand(dataDir, 'inputs remove', [`${CHANNEL.number}`])
    await runCommand(dataDir, 'channels set', [`${CHANNEL.number}`], { on: 'no' })
    await site.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('plays in our own player over the boundaries of its TrackSets', async () => {
    const idChannel = await channelOnAir(open, CHANNEL.name)
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, `/player?channel=${idChannel}`)
    await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(0)
    const { position } = await videoState(page)
    // Positions are seconds since the Unix epoch: the viewer is close to the live edge.
    expect(Date.now() / 1000 - position).toBeLessThan(15)
    await expect
      .poll(async () => (await videoState(page)).position - position, PATIENCE)
      .toBeGreaterThan(PLAYED_SECONDS)
    const { frames, audioBytes } = await videoState(page)
    expect(frames).toBeGreaterThan(PLAYED_SECONDS * 20)
    expect(audioBytes).toBeGreaterThan(10_000)
    expect(Date.now() / 1000 - (await videoState(page)).position).toBeLessThan(15)
    expect(complaints).toEqual([])
  })

  it('V4-43 catches up with the broadcast after a stall, and never speeds up while the viewer is behind', async () => {
    const idChannel = await channelOnAir(open, CHANNEL.name)
    const { page } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, `/player?channel=${idChannel}`)
    await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(0)
    const rateOf = async () =>
      await page.locator('video').evaluate((video: HTMLVideoElement) => video.playbackRate)
    // The viewer can go back only in the media that the input has brought.
    await expect.poll(async () => await windowOn(page), PATIENCE).toBeGreaterThan(25)
    await fallBehind(page, 3)
    await expect.poll(rateOf, PATIENCE).toBe(1.05)
    const { position } = await videoState(page)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeLessThan(position - 5)
    await expect.poll(rateOf, PATIENCE).toBe(1)
    expect(await page.locator('video').evaluate(ratesOf)).toEqual([1])
    // Back at the live edge, the viewer follows the broadcast again. The controls appear with the pointer.
    await page.mouse.move(300, 300)
    await page.getByRole('button', { name: 'Revenir au direct' }).press('Enter')
    await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(position)
    await fallBehind(page, 4)
    await expect.poll(rateOf, PATIENCE).toBe(1.05)
  })

  it('is loaded again when playback stays still', async () => {
    const idChannel = await channelOnAir(open, CHANNEL.name)
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, `/player?channel=${idChannel}`)
    await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(0)
    // Until the video loads again, nobody can make it play.
    await page.locator('video').evaluate((video: HTMLVideoElement) => {
      video.playbackRate = 0
      Object.defineProperty(video, 'playbackRate', { configurable: true, get: () => 0, set: () => {} })
      video.addEventListener('emptied', () => Reflect.deleteProperty(video, 'playbackRate'), { once: true })
    })
    const { position } = await videoState(page)
    await expect
      .poll(async () => (await videoState(page)).position - position, PATIENCE)
      .toBeGreaterThan(PROGRAMME_SECONDS)
    expect(Date.now() / 1000 - (await videoState(page)).position).toBeLessThan(15)
    expect(complaints).toEqual([])
  })

  it('plays in the players of somebody else, for DASH and HLS', async () => {
    const idChannel = await channelOnAir(open, CHANNEL.name)
    const pages = await playInBoth(open, site.origin, idChannel)
    await playOn(pages, PLAYED_SECONDS)
    for (const page of pages) expect((await watchedOn(page)).frames).toBeGreaterThan(PLAYED_SECONDS * 20)
  })

  it('19.3 V4-44 carries an event, which is watched live and from its beginning, and ends with its end', async () => {
    await channelOnAir(open, CHANNEL.name)
    const library = join(folder, 'Events')
    const at = join(library, 'Le concert du port (2026)', 'Le concert du port (2026)')
    const startsAt = Math.floor(Date.now() / 1000)
    const announce = async (endsAt: number) => {
      const times = `<starts>${isoOf(startsAt)}</starts><ends>${isoOf(endsAt)}</ends>`
      await writeFile(`${at}.nfo`, `<movie><title>Le concert du port</title>${times}</movie>`)
      await runCommand(dataDir, 'import', [library], { language: 'fra' })
    }
    await mkdir(dirname(at), { recursive: true })
    await writeFile(`${at}.strm`, `channel:${CHANNEL.number}`)
    await announce(startsAt + 90)
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    const lives = async () => await callAs(page, liveEvents, {})
    await expect.poll(lives, PATIENCE).toMatchObject([{ title: 'Le concert du port' }])
    const [event] = await lives()
    if (!event) throw new Error('There is no live event.')
    await visit(page, event.detailRoute)
    const main = page.getByRole('main')
    await main.getByRole('link', { name: 'Voir depuis le début' }).waitFor()
    await main.getByRole('link', { name: 'Regarder en direct' }).click()
    await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(0)
    // Positions count from the beginning of the event.
    const behind = async () => Date.now() / 1000 - startsAt - (await videoState(page)).position
    expect(await behind()).toBeLessThan(15)
    await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(20)
    // While playback is paused, the controls stay visible.
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Fermer le lecteur' }).click()
    await page.waitForURL(`**${event.detailRoute}`)
    await main.getByRole('link', { name: 'Voir depuis le début' }).click()
    await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(0)
    // A live stream begins at its live edge. The player then seeks to the wanted start (V4-31).
    await expect.poll(behind, PATIENCE).toBeGreaterThan(15)
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Revenir au direct' }).press('Enter')
    await expect.poll(behind, PATIENCE).toBeLessThan(15)
    // The event overruns, and then ends.
    await announce(startsAt + 110)
    await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(94)
    await page.waitForURL(`**${event.detailRoute}`, { timeout: PATIENCE.timeout })
    expect(Date.now() / 1000).toBeGreaterThan(startsAt + 110)
    await main.getByRole('link', { name: /Lecture|Reprendre/ }).click()
    await expect
      .poll(
        async () => await page.locator('video').evaluate((video: HTMLVideoElement) => video.duration),
        PATIENCE,
      )
      .toSatisfy((seconds: number) => seconds > 100 && seconds < 120)
    expect(complaints).toEqual([])
    await runCommand(dataDir, 'libraries withdraw', [library])
  })

  it('V4-42 a programme that may only be watched live plays without pause and start-over, and says why', async () => {
    const idChannel = await channelOnAir(open, CHANNEL.name)
    const { page: earlier } = await open()
    await signIn(earlier, 'subscriber@ondine.test')
    await visit(earlier, `/player?channel=${idChannel}`)
    await expect.poll(async () => (await videoState(earlier)).frames, PATIENCE).toBeGreaterThan(0)
    // From now on, the viewer whose playback is in progress is not allowed to go back in this programme.
    const guide = join(folder, 'live-only.xml')
    const rights = '<rights start-over="no"/>'
    await writeFile(guide, guideOf([{ start: now() - 600, stop: now() + 1800, inside: rights }]))
    await runCommand(dataDir, 'guide import', [guide])
    const { position } = await videoState(earlier)
    await expect
      .poll(async () => (await videoState(earlier)).position - position, PATIENCE)
      .toBeGreaterThan(PROGRAMME_SECONDS)
    await closeContext(earlier.context())

    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, `/player?channel=${idChannel}`)
    await page.getByText(LIVE_ONLY).waitFor()
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Voir depuis le début' }).count()).toBe(0)
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowLeft')
    expect(await page.locator('video').evaluate((video: HTMLVideoElement) => video.paused)).toBe(false)
    const { detailRoute } = await findChannel(origin, CHANNEL.name)
    await visit(page, detailRoute)
    await page.getByRole('main').getByText(LIVE_ONLY).waitFor()
    expect(await page.getByRole('link', { name: 'Voir depuis le début' }).count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

/** Returns a time in seconds since the Unix epoch as metadata files have it. */
function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '')
}

/** Returns the playback rates of a video during twenty `timeupdate` events. Runs in the page. */
async function ratesOf(video: HTMLVideoElement): Promise<number[]> {
  const rates = new Set<number>()
  for (let times = 0; times < 20; times++) {
    await new Promise((resolve) => video.addEventListener('timeupdate', resolve, { once: true }))
    rates.add(video.playbackRate)
  }
  return [...rates]
}

const LIVE_ONLY = 'Ce programme se regarde uniquement en direct.'

describe('a live input whose source comes back with other parameters', () => {
  const open = testBrowser()
  const channel = ADDED.changing
  /** Two sources that differ in their ffmpeg options. `width` is the width of their picture. */
  const sources = [
    {
      width: 320,
      options:
        '-map 0 -map 1 -c:v libx264 -profile:v baseline -r 25 -g 50 -s 320x180 -c:a aac -ac 1 -metadata:s:a language=fra',
    },
    {
      width: 640,
      options:
        '-map 0 -map 1 -map 1 -map 1 -c:v libx264 -profile:v high -r 50 -g 100 -s 640x360 -c:a aac -ac 2 ' +
        '-metadata:s:a:0 language=fra -metadata:s:a:1 language=fra -metadata:s:a:2 language=eng',
    },
  ].map((source, index) => ({ ...source, name: `${index}.ts` }))
  let site: Awaited<ReturnType<typeof openForeignSite>>
  let folder: string
  let port: number
  let sender: ChildProcess | undefined
  let current = 0

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-live-'))
    for (const { name, options } of sources)
      await run('ffmpeg', [
        ...'-nostdin -v error -f lavfi -i testsrc2=size=640x360:rate=50:duration=30'.split(' '),
        ...'-f lavfi -i sine=frequency=440:sample_rate=48000:duration=30'.split(' '),
        ...`${options} -preset ultrafast -pix_fmt yuv420p -sc_threshold 0`.split(' '),
        join(folder, name),
      ])
    port = await freePort()
    await runCommand(dataDir, 'inputs add', [`${channel.number}`, `udp://127.0.0.1:${port}`], {
      name: channel.name,
    })
    await runCommand(dataDir, 'channels set', [`${channel.number}`], { free: 'yes', on: 'yes' })
    await send(0)
    site = await openForeignSite()
  })
  afterAll(async () => {
    sender?.kill('SIGKILL')
    await runCommand(dataDir, 'inputs remove', [`${channel.number}`])
    await runCommand(dataDir, 'channels set', [`${channel.number}`], { on: 'no' })
    await site.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Sends a source in place of the previous one. */
  async function send(index: number): Promise<void> {
    if (sender) {
      sender.kill('SIGKILL')
      await once(sender, 'close')
    }
    current = index
    const words = `-nostdin -v error -re -stream_loop -1 -i ${join(folder, sources[index]?.name ?? '')} -map 0 -c copy -f mpegts udp://127.0.0.1:${port}?pkt_size=1316`
    sender = spawn('ffmpeg', words.split(' '), { stdio: 'ignore' })
  }

  /** Switches to the other source while pages play, and expects the picture of that source. */
  async function passOver(pages: readonly Page[]): Promise<void> {
    const [from, to] = [sources[current], sources[1 - current]]
    for (const page of pages)
      await expect.poll(async () => await pictureOn(page), PATIENCE).toMatchObject({ width: from?.width })
    await send(1 - current)
    for (const page of pages)
      await expect.poll(async () => await pictureOn(page), PATIENCE).toMatchObject({ width: to?.width })
  }

  it('goes on in our own player, and offers the further sounds', async () => {
    const idChannel = await channelOnAir(open, channel.name)
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, `/player?channel=${idChannel}`)
    await passOver([page])
    const { position } = await videoState(page)
    await expect.poll(async () => (await videoState(page)).position - position, PATIENCE).toBeGreaterThan(6)
    expect(complaints).toEqual([])
    const status = await runCommand(dataDir, 'inputs status', [`${channel.number}`])
    expect(JSON.stringify(status)).toMatch(/640x360 at 50/)
  })

  it('goes on in the players of somebody else, for DASH and HLS', async () => {
    const idChannel = await channelOnAir(open, channel.name)
    const pages = await playInBoth(open, site.origin, idChannel)
    await passOver(pages)
    await playOn(pages, 6)
  })
})

describe('a live input with a ladder', () => {
  const open = testBrowser()
  const channel = ADDED.ladder
  let site: Awaited<ReturnType<typeof openForeignSite>>
  let sender: ChildProcess

  beforeAll(async () => {
    const port = await freePort()
    await runCommand(dataDir, 'inputs add', [`${channel.number}`, `udp://127.0.0.1:${port}`], {
      name: channel.name,
      ladder: '720,360',
    })
    await runCommand(dataDir, 'channels set', [`${channel.number}`], {
      free: 'yes',
      on: 'yes',
      timeShift: '600',
    })
    // Few frames, so that a slow machine encodes the lower rendition in time.
    const words =
      '-nostdin -v error -re -f lavfi -i testsrc2=size=800x450:rate=10 -f lavfi -i sine=sample_rate=48000 ' +
      '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 20 -sc_threshold 0 -c:a aac -ac 2 ' +
      `-f mpegts udp://127.0.0.1:${port}?pkt_size=1316`
    sender = spawn('ffmpeg', words.split(' '), { stdio: 'ignore' })
    site = await openForeignSite()
  })
  afterAll(async () => {
    sender.kill('SIGKILL')
    await runCommand(dataDir, 'inputs remove', [`${channel.number}`])
    await runCommand(dataDir, 'channels set', [`${channel.number}`], { on: 'no' })
    await site.close()
  })

  it('19.2 changes its rendition in our own player, without a stop', async () => {
    const idChannel = await channelOnAir(open, channel.name)
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, `/player?channel=${idChannel}`)
    await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(0)
    const qualities = page.getByRole('button', { name: 'Vitesse et qualité' })
    for (const [lines, width] of [
      ['360', 640],
      ['450', 800],
    ] as const) {
      // While playback is paused, the controls stay visible.
      await page.keyboard.press('Space')
      await qualities.press('Enter')
      await page.getByRole('radio', { name: `${lines}p` }).press(' ')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Revenir au direct' }).press('Enter')
      await expect.poll(async () => await pictureOn(page), PATIENCE).toMatchObject({ width })
    }
    const { position } = await videoState(page)
    await expect.poll(async () => (await videoState(page)).position - position, PATIENCE).toBeGreaterThan(6)
    expect(complaints).toEqual([])
  })

  it('19.2 plays in the players of somebody else, for DASH and HLS', async () => {
    const idChannel = await channelOnAir(open, channel.name)
    const pages = await playInBoth(open, site.origin, idChannel)
    await playOn(pages, 8)
  })
})

describe('a relay of a live stream', () => {
  const open = testBrowser()
  let site: Awaited<ReturnType<typeof openForeignSite>>
  let folder: string
  let provider: Server
  let encoder: ChildProcess

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-relay-'))
    // Writes the playlists of HLS as well, for the same segments.
    const words =
      '-nostdin -v error -re -f lavfi -i testsrc2=size=320x180:rate=25 -f lavfi -i sine=sample_rate=48000 ' +
      '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 50 -sc_threshold 0 -c:a aac -ac 2 ' +
      `-f dash -seg_duration 2 -window_size 10 -hls_playlist 1 ${join(folder, 'live.mpd')}`
    encoder = spawn('ffmpeg', words.split(' '), { stdio: 'ignore' })
    provider = createServer(({ url = '' }, response) => {
      createReadStream(join(folder, url))
        .on('error', () => response.writeHead(404).end())
        .pipe(response)
    }).listen(0, '127.0.0.1')
    await once(provider, 'listening')
    site = await openForeignSite()
  })
  afterAll(async () => {
    encoder.kill('SIGKILL')
    provider.closeAllConnections()
    provider.close()
    await site.close()
    await rm(folder, { recursive: true, force: true })
  })

  it.each([
    ['dash', 'live.mpd', ADDED.relayOfDash],
    ['hls', 'master.m3u8', ADDED.relayOfHls],
  ] as const)('plays in the player of %s of somebody else', async (format, file, channel) => {
    await expect.poll(async () => await readdir(folder), PATIENCE).toContain(file)
    const { port } = provider.address() as AddressInfo
    const { idChannel } = await addRelay({ origin, dataDir }, channel, `http://127.0.0.1:${port}/${file}`)
    await playOn([await playElsewhere(open, site.origin, idChannel, format)], 8)
  })
})

/** Returns a guide of programmes that follow one another for half an hour. */
function shortProgrammes(): string {
  const first = Math.floor(now() / 60) * 60 - 60
  return guideOf(
    Array.from({ length: 1860 / PROGRAMME_SECONDS }, (_, index) => {
      const start = first + index * PROGRAMME_SECONDS
      return { start, stop: start + PROGRAMME_SECONDS }
    }),
  )
}

/** Returns a guide of the channel. Times are seconds since the Unix epoch. */
function guideOf(programmes: readonly { start: number; stop: number; inside?: string }[]): string {
  const timeOf = (seconds: number) =>
    `${new Date(seconds * 1000).toISOString().replaceAll(/[-:T]|\..*/g, '')} +0000`
  const written = programmes.map(
    ({ start, stop, inside = '' }, index) =>
      `<programme channel="live.test" start="${timeOf(start)}" stop="${timeOf(stop)}"><title>Part ${index}</title>${inside}</programme>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><tv><channel id="live.test"><display-name>${CHANNEL.name}</display-name></channel>${written.join('')}</tv>`
}

/** Returns the time in whole seconds since the Unix epoch. */
function now(): number {
  return Math.floor(Date.now() / 1000)
}

/** Returns a UDP port that nobody uses now. */
async function freePort(): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  await new Promise<void>((resolve) => socket.close(resolve))
  return port
}
