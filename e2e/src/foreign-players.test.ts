import { epg } from '@ondine/contract/channels'
import { channelStream, readAsset } from '@ondine/contract/playback'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADDED, addLibraryChannel } from './added-channels.ts'
import { signIn } from './browser.ts'
import { openForeignSite, type Watched } from './foreign-page.ts'
import { callAs } from './people.ts'
import { call, findAsset, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

/** Time limit on a busy machine; a programme lasts 24 s. */
const PATIENCE = { timeout: 90_000, interval: 250 }
/** Largest difference between a cue's time in a player and the time in the subtitle file. */
const TOLERANCE_SECONDS = 1
/**
 * Subtitles are compared from this many seconds before the player's start on. The time is longer than the longest
 * cue.
 */
const EARLIER_SECONDS = 30

/** Longest time that a player takes to start, in seconds. */
const START_SECONDS = 25
/**
 * A player that sets up decryption only at the first encrypted title stalls within this distance of the boundary,
 * in seconds.
 */
const AROUND_SECONDS = 4

interface ExpectedCue {
  from: number
  to: number
  text: string
  /** Track set of the programme that contains the cue. */
  trackSet: string
}

interface Started {
  url: string
  drm: { licenceUrl: string } | null
}

/** A request of a page. */
interface Asked {
  path: string
  headers: Record<string, string>
}

/** A Period of a DASH manifest. */
interface Period {
  /** Start time: on a channel, in seconds since the Unix epoch. */
  start: number
  isEncrypted: boolean
  isProtected: boolean
}

/** dash.js plays DASH, hls.js plays HLS. */
const FORMATS = ['dash', 'hls'] as const

describe('third-party players on another origin', () => {
  const open = testBrowser()
  const service = sharedService()
  const { origin } = service
  let site: Awaited<ReturnType<typeof openForeignSite>>
  beforeAll(async () => {
    site = await openForeignSite()
  })
  afterAll(async () => await site.close())

  /**
   * Opens two pages. On `subscriber`, a page of the service, a subscriber is signed in, and tests request streams.
   * `page`, a page of the foreign site, plays these streams. `asked` collects the requests of `page` to the
   * service.
   */
  async function openBoth(): Promise<{ subscriber: Page; page: Page; asked: Asked[] }> {
    const { page: subscriber } = await open()
    await signIn(subscriber, 'subscriber@ondine.test')
    const { page } = await open({ baseURL: site.origin })
    const asked: Asked[] = []
    page.on('request', (request) => {
      if (request.url().startsWith(origin))
        asked.push({ path: new URL(request.url()).pathname, headers: request.headers() })
    })
    await page.goto('/')
    return { subscriber, page, asked }
  }

  async function play(page: Page, format: 'dash' | 'hls', started: Started) {
    const address = new URL(started.url, origin)
    if (format === 'hls') address.searchParams.set('keyformat', 'clearkey')
    await page.evaluate(
      `begin(${JSON.stringify(format)}, ${JSON.stringify({
        url: address.href,
        licenceUrl: started.drm && origin + started.drm.licenceUrl,
        language: 'fr',
      })})`,
    )
  }

  const watchedOn = async (page: Page) => await page.evaluate<Watched>('watched()')

  /**
   * Checks that the stream is encrypted, and that the player requested its keys from the licence address (EME), never from
   * `/key/`. For DASH, also checks that the player sends CMCD headers.
   */
  async function expectEncrypted(format: 'dash' | 'hls', started: Started, asked: readonly Asked[]) {
    expect(started.drm).not.toBeNull()
    expect(asked.filter(({ path }) => path === started.drm?.licenceUrl)).not.toEqual([])
    expect(asked.filter(({ path }) => path.includes('/key/'))).toEqual([])
    if (format === 'dash') {
      expect((await periodsOf(started.url)).some(({ isEncrypted }) => isEncrypted)).toBe(true)
      // The manifest and media are requested with CMCD in headers.
      for (const file of [/\/manifest\.mpd$/, /\.m4s$/])
        expect(asked.some(({ path, headers }) => file.test(path) && 'cmcd-session' in headers)).toBe(true)
      return
    }
    const address = new URL(started.url.replace(/[^/]+$/, 'main.m3u8?keyformat=clearkey'), origin)
    const variant = /^(?!#).+$/m.exec(await (await fetch(address)).text())?.[0] ?? ''
    const playlist = await (await fetch(new URL(variant, address))).text()
    expect(playlist).toContain('KEYFORMAT="org.w3.clearkey"')
  }

  /** Returns the Periods of the current manifest. */
  async function periodsOf(url: string): Promise<Period[]> {
    const manifest = await (await fetch(new URL(url, origin))).text()
    return manifest
      .split('<Period ')
      .slice(1)
      .map((period) => {
        const keyId = /default_KID="([^"]+)"/.exec(period)?.[1]?.replaceAll('-', '')
        return {
          start: Number(/start="PT([\d.]+)S"/.exec(period)?.[1]),
          isProtected: keyId !== undefined,
          // A clear programme has no key, but the manifest gives it a key id too: the name of its media folder.
          isEncrypted: keyId !== undefined && !period.includes(`/media/${keyId}/`),
        }
      })
  }

  /** Returns a playlist or a file of subtitles. @throws Error if the service does not have it */
  async function textAt(address: URL): Promise<string> {
    const answer = await fetch(address)
    if (!answer.ok) throw new Error(`${address.pathname} answered ${answer.status}.`)
    return await answer.text()
  }

  const subtitles = new Map<string, string>()
  /** Returns a file of subtitles. It never changes, so it is fetched once. */
  async function subtitlesAt(path: string): Promise<string> {
    const known = subtitles.get(path) ?? (await textAt(new URL(path, origin)))
    subtitles.set(path, known)
    return known
  }

  /**
   * Returns the French cues of a stream. The times come from the HLS playlists: seconds since the Unix epoch on a
   * channel, seconds from the start of a film.
   *
   * @param since leaves out subtitle files that end earlier, because a busy machine takes minutes for two hours of
   * subtitles
   */
  async function cuesOf(url: string, since = 0): Promise<ExpectedCue[]> {
    const address = new URL(url.replace(/[^/]+$/, 'main.m3u8'), origin)
    const master = await textAt(address)
    const text = /TYPE=SUBTITLES.*LANGUAGE="fr".*URI="([^"]+)"/.exec(master)?.[1] ?? ''
    const playlist = await textAt(new URL(text, address))
    const cues: ExpectedCue[] = []
    let programme = 0
    let start = 0
    for (const stretch of playlist.split('#EXT-X-DISCONTINUITY\n')) {
      const date = /PROGRAM-DATE-TIME:(\S+)/.exec(stretch)?.[1]
      const segments = [...stretch.matchAll(/#EXTINF:([\d.]+),\n(\S+)/g)]
      const first = Number(/\/(\d+)\.vtt/.exec(segments[0]?.[2] ?? '')?.[1] ?? 1)
      // All segments but the last have a length of 4 s, so the number of the first segment gives its place in the film.
      start = (date === undefined ? 0 : Date.parse(date) / 1000) - (first - 1) * 4
      for (const [index, [, , path = '']] of segments.entries()) {
        if (start + (first + index) * 4 < since) continue
        const webVtt = await subtitlesAt(path)
        for (const [, from = '', to = '', said = ''] of webVtt.matchAll(
          /([\d:.]+) --> ([\d:.]+).*\n([^]*?)\n\n/g,
        ))
          cues.push({
            from: start + secondsOf(from),
            to: start + secondsOf(to),
            text: said,
            trackSet: `${programme}`,
          })
      }
      programme++
    }
    return cues
  }

  const secondsOf = (time: string) => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  const plain = (text: string) => text.replaceAll(/<[^>]*>|\s+/g, ' ').trim()

  /** Returns the expected cue with the text and time of a cue that a player showed. */
  function expectedOf(
    { time, text }: Watched['shown'][number],
    expected: readonly ExpectedCue[],
  ): ExpectedCue | undefined {
    return expected.find(
      (cue) =>
        plain(cue.text) === plain(text) &&
        time > cue.from - TOLERANCE_SECONDS &&
        time < cue.to + TOLERANCE_SECONDS,
    )
  }

  /**
   * Returns the expected cues that were shown at their time, and the shown cues that no subtitle file contains at
   * that time.
   */
  function compared(shown: Watched['shown'], expected: readonly ExpectedCue[]) {
    return {
      cues: shown.flatMap((cue) => expectedOf(cue, expected) ?? []),
      strangers: shown.filter((cue) => expectedOf(cue, expected) === undefined),
    }
  }

  it.each(FORMATS)(
    'V4-16 V4-28 a film plays encrypted with its subtitles in the player of %s',
    async (format) => {
      const { subscriber, page, asked } = await openBoth()
      const { id } = await findAsset(origin, 'La Houle')
      const input = {
        idAsset: id,
        idAudioLang: 'fra',
        idSubtitleLang: 'fra',
        format,
        parentalProof: undefined,
        adsMacro: undefined,
      }
      const started = await callAs(subscriber, readAsset, input)
      const expected = await cuesOf(started.url)
      await play(page, format, started)
      await expect
        .poll(async () => {
          const { errors, shown } = await watchedOn(page)
          return errors.concat(compared(shown, expected).cues.length >= 2 ? ['seen'] : [])
        }, PATIENCE)
        .toEqual(['seen'])
      const { shown, frames } = await watchedOn(page)
      expect(compared(shown, expected).strangers).toEqual([])
      expect(frames).toBeGreaterThan(24)
      await expectEncrypted(format, started, asked)
    },
  )

  it.each(FORMATS)(
    'V4-24 a channel plays from a start time into the next programme with its subtitles in the player of %s',
    async (format) => {
      const { subscriber, page, asked } = await openBoth()
      const { idChannel } = await findChannel(origin, 'Rive')
      const start = Math.floor(Date.now() / 1000) - 45
      const input = { idChannel, format, start, parentalProof: undefined }
      const started = await callAs(subscriber, channelStream, input)
      expect(started.startsAt).toBe(start)
      await play(page, format, started)
      const seen = async () => {
        const watched = await watchedOn(page)
        const { cues, strangers } = compared(
          watched.shown,
          await cuesOf(started.url, start - EARLIER_SECONDS),
        )
        return { ...watched, strangers, programmes: new Set(cues.map(({ trackSet }) => trackSet)).size }
      }
      // Looks seldom, because each look reads all subtitles of the channel, which takes time from the player.
      await expect
        .poll(seen, { timeout: 180_000, interval: 2000 })
        .toSatisfy(({ errors, programmes }) => errors.length > 0 || programmes >= 2)
      const { shown, strangers, errors } = await seen()
      expect(errors).toEqual([])
      expect(strangers).toEqual([])
      // The player began at the requested time, not live.
      expect(Math.abs((shown[0]?.time ?? 0) - start)).toBeLessThan(20)
      await expectEncrypted(format, started, asked)
    },
  )

  it('V4-24 a channel plays from a clear title into an encrypted one without a stall in dash.js', async () => {
    // The channel plays an encrypted film of 24 s, and then its clear trailer until the second minute ends. The
    // trailer's part is longer than the live window.
    const rules = { kind: 'sequence', titles: ['La Houle'], roundTo: 2, filler: ['La Houle'] }
    const { idChannel } = await addLibraryChannel(service, ADDED.mixed, { timeShift: 0, rules })
    const { subscriber, page } = await openBoth()
    const input = { idChannel, format: 'dash', start: undefined, parentalProof: undefined } as const
    const ends = async () => await callAs(subscriber, channelStream, input).catch((error: unknown) => error)
    await expect.poll(ends, PATIENCE).toHaveProperty('session')
    const started = await callAs(subscriber, channelStream, input)

    // Starts the player while no Period of the manifest is encrypted. The manifest must signal the protection
    // anyway.
    const encrypted = async () => (await periodsOf(started.url)).filter(({ isEncrypted }) => isEncrypted)
    const secondsToFilm = async () => {
      const now = Date.now() / 1000
      const when = { start: Math.floor(now), offset: 0, hours: 1, channelIds: [idChannel] }
      const guide = (await call(origin, epg, when))[`chan_${idChannel}`] ?? []
      return (guide.find(({ startutc }) => startutc > now)?.startutc ?? 0) - now
    }
    await expect
      .poll(async () => (await secondsToFilm()) > START_SECONDS && (await encrypted()).length === 0, {
        timeout: 150_000,
        interval: 250,
      })
      .toBe(true)
    expect((await periodsOf(started.url)).filter(({ isProtected }) => !isProtected)).toEqual([])
    await play(page, 'dash', started)
    await expect.poll(async () => (await watchedOn(page)).frames, PATIENCE).toBeGreaterThan(0)
    const { time: begun } = await watchedOn(page)

    await expect.poll(encrypted, PATIENCE).toHaveLength(1)
    const boundary = (await encrypted())[0]?.start ?? 0
    expect(boundary).toBeGreaterThan(begun)
    await expect
      .poll(async () => {
        const { errors, time } = await watchedOn(page)
        return errors.length > 0 ? errors : time > boundary + AROUND_SECONDS
      }, PATIENCE)
      .toBe(true)
    const { waits } = await watchedOn(page)
    expect(waits.filter((time) => Math.abs(time - boundary) < AROUND_SECONDS)).toEqual([])
  })
})
