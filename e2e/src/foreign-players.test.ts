import { channelStream, readAsset } from '@ondine/contract/playback'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from './browser.ts'
import { openForeignSite, type Watched } from './foreign-page.ts'
import { callAs } from './people.ts'
import { findAsset, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

/** How long a busy machine may take; a programme lasts 24 s. */
const PATIENCE = { timeout: 90_000, interval: 250 }
/** How far a cue may be seen from where it is said: a frame is looked at every so often only. */
const TOLERANCE_SECONDS = 1

interface ExpectedCue {
  from: number
  to: number
  text: string
  /** Of which programme. */
  trackSet: string
}

/** DASH is played by dash.js, HLS by hls.js. */
const FORMATS = ['dash', 'hls'] as const

describe('players of others, on another origin', () => {
  const open = testBrowser()
  const { origin } = sharedService()
  let site: Awaited<ReturnType<typeof openForeignSite>>
  beforeAll(async () => {
    site = await openForeignSite()
  })
  afterAll(async () => await site.close())

  /** A page of the foreign site, and a subscriber who may ask the service for what it plays. */
  async function openBoth(): Promise<{ subscriber: Page; page: Page }> {
    const { page: subscriber } = await open()
    await signIn(subscriber, 'subscriber@ondine.test')
    const { page } = await open({ baseURL: site.origin })
    await page.goto('/')
    return { subscriber, page }
  }

  async function play(
    page: Page,
    format: 'dash' | 'hls',
    started: { url: string; drm: { licenceUrl: string } | null },
  ) {
    const query = format === 'hls' ? '?keyformat=clearkey' : ''
    await page.evaluate(
      `begin(${JSON.stringify(format)}, ${JSON.stringify({
        url: origin + started.url + query,
        licenceUrl: started.drm && origin + started.drm.licenceUrl,
        language: 'fr',
      })})`,
    )
  }

  const watchedOn = async (page: Page) => await page.evaluate<Watched>('watched()')

  /** The French cues of a stream when they are said, by the HLS playlists: seconds since the epoch, or of the film. */
  async function cuesOf(url: string): Promise<ExpectedCue[]> {
    const address = new URL(url.replace(/[^/]+$/, 'main.m3u8'), origin)
    const master = await (await fetch(address)).text()
    const text = /TYPE=SUBTITLES.*LANGUAGE="fr".*URI="([^"]+)"/.exec(master)?.[1] ?? ''
    const playlist = await (await fetch(new URL(text, address))).text()
    const cues: ExpectedCue[] = []
    let programme = 0
    let start = 0
    for (const stretch of playlist.split('#EXT-X-DISCONTINUITY\n')) {
      const date = /PROGRAM-DATE-TIME:(\S+)/.exec(stretch)?.[1]
      const segments = [...stretch.matchAll(/#EXTINF:([\d.]+),\n(\S+)/g)]
      const first = Number(/\/(\d+)\.vtt/.exec(segments[0]?.[2] ?? '')?.[1] ?? 1)
      // Segments last 4 s but for the last one, so the first one's number says where it lies in its film.
      start = (date === undefined ? 0 : Date.parse(date) / 1000) - (first - 1) * 4
      for (const [, , path = ''] of segments) {
        const webVtt = await (await fetch(new URL(path, origin))).text()
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

  /** Which expected cues were seen at their time; every cue that was seen has to be one of them. */
  function matched(shown: Watched['shown'], expected: readonly ExpectedCue[]): ExpectedCue[] {
    return shown.flatMap(({ time, text }) => {
      const found = expected.find(
        (cue) =>
          plain(cue.text) === plain(text) &&
          time > cue.from - TOLERANCE_SECONDS &&
          time < cue.to + TOLERANCE_SECONDS,
      )
      return found ? [found] : []
    })
  }

  it.each(FORMATS)(
    'V4-16 V4-28 a film plays encrypted with its subtitles in the player of %s',
    async (format) => {
      const { subscriber, page } = await openBoth()
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
        .poll(
          async () =>
            (await watchedOn(page)).errors.concat(
              matched((await watchedOn(page)).shown, expected).length >= 2 ? ['seen'] : [],
            ),
          PATIENCE,
        )
        .toEqual(['seen'])
      const { shown, frames } = await watchedOn(page)
      expect(matched(shown, expected)).toHaveLength(shown.length)
      expect(frames).toBeGreaterThan(24)
    },
  )

  it.each(FORMATS)(
    'V4-24 a channel plays from a time on into the next programme with its subtitles in the player of %s',
    async (format) => {
      const { subscriber, page } = await openBoth()
      const { idChannel } = await findChannel(origin, 'Rive')
      const start = Math.floor(Date.now() / 1000) - 45
      const input = { idChannel, format, start, parentalProof: undefined }
      const started = await callAs(subscriber, channelStream, input)
      expect(started.startsAt).toBe(start)
      await play(page, format, started)
      const seen = async () => {
        const { shown, errors } = await watchedOn(page)
        return { errors, shown, cues: matched(shown, await cuesOf(started.url)) }
      }
      await expect
        .poll(async () => {
          const { errors, cues } = await seen()
          return errors.length > 0 ? errors : new Set(cues.map(({ trackSet }) => trackSet)).size >= 2
        }, PATIENCE)
        .toBe(true)
      const { shown, cues } = await seen()
      expect(cues).toHaveLength(shown.length)
      // It began where it was asked to, not live.
      expect(Math.abs((shown[0]?.time ?? 0) - start)).toBeLessThan(20)
    },
  )
})
