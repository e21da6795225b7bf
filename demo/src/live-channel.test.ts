import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CATALOGUE } from './catalogue.ts'
import { BLOCK_PICTURES } from './channel-blocks.ts'
import { CHANNELS } from './channels.ts'
import { LIVE_CHANNEL, liveScene, writeLiveChannel } from './live-channel.ts'
import { LIVE_PICTURES, liveGuide } from './live-guide.ts'

/** Noon of the day before Paris switches to summer time. */
const NOON = Date.UTC(2026, 2, 28, 11)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

interface Showing {
  start: string
  stop: string
  text: string
}

function showings(now = NOON): Showing[] {
  return [
    ...liveGuide('phare', now).matchAll(/<programme start="(\d+)" stop="(\d+)" [^>]*>(.*)<\/programme>/g),
  ].map(([, start = '', stop = '', text = '']) => ({ start, stop, text }))
}

const textsOf = ({ text }: Showing, name: string) =>
  [...text.matchAll(new RegExp(`<${name} lang="(fr|en)">([^<]+)</${name}>`, 'g'))].map(([, , found]) => found)

describe('the guide of the live channel', () => {
  it('fills the days from two days ago to nine days ahead, around the clock', () => {
    const all = showings()
    expect(all[0]?.start).toBe('20260326000000')
    expect(all.at(-1)?.start.slice(0, 8)).toBe('20260406')
    for (const [index, { start, stop }] of all.entries()) {
      expect(stop > start).toBe(true)
      if (index > 0) expect(start).toBe(all[index - 1]?.stop)
    }
  })

  it('begins its days at midnight in Paris, also when it is another day elsewhere', () => {
    const [first] = showings(Date.UTC(2026, 5, 30, 22, 30))
    expect(first?.start).toBe('20260629000000')
  })

  it('gives a day the same programmes whenever it is written, so that a repeated import changes nothing', () => {
    const today = (now: number) => showings(now).filter(({ start }) => start.startsWith('20260330'))
    expect(today(NOON)).toEqual(today(NOON + DAY_MS))
  })

  it('has titles and synopses in both languages, for everybody', () => {
    for (const showing of showings()) {
      for (const name of ['title', 'desc', 'category']) {
        const texts = textsOf(showing, name)
        expect(texts).toHaveLength(2)
        if (name === 'desc') expect(texts[0]).not.toBe(texts[1])
      }
      expect(showing.text).toContain('<value>TP</value>')
    }
  })

  it('has a new episode of its series each evening, which is repeated on the next morning', () => {
    const episodes = showings().filter(({ text }) => text.includes('xmltv_ns'))
    const numberOf = ({ text }: Showing) => /xmltv_ns">([\d.]+)</.exec(text)?.[1]
    const isRepeat = ({ text }: Showing) => text.includes('<previously-shown/>')
    const fresh = episodes.filter((each) => !isRepeat(each))
    expect(new Set(fresh.map(numberOf)).size).toBe(fresh.length)
    expect(fresh.map(({ start }) => start.slice(8))).toEqual(fresh.map(() => '193000'))
    for (const repeat of episodes.filter(isRepeat).slice(1)) {
      const original = fresh.find((each) => numberOf(each) === numberOf(repeat))
      expect(textsOf(repeat, 'sub-title')).toEqual(textsOf(original!, 'sub-title'))
      expect(Number(repeat.start.slice(6, 8))).not.toBe(Number(original?.start.slice(6, 8)))
    }
  })

  it('counts the episodes of a new year from its first day', () => {
    const numbers = showings(Date.UTC(2026, 11, 31, 12)).flatMap(({ text }) =>
      text.includes('<previously-shown/>') ? [] : (/xmltv_ns">([\d.]+)</.exec(text)?.[1] ?? []),
    )
    expect(numbers.slice(1, 4)).toEqual(['0.363.', '0.364.', '1.0.'])
  })

  it('has a picture for each programme, which no other channel shows', () => {
    const titles = new Set(showings().map((each) => textsOf(each, 'title')[0]))
    expect(new Set(LIVE_PICTURES.map(({ of }) => of.fra))).toEqual(titles)
    const looks = [...BLOCK_PICTURES, ...LIVE_PICTURES].map(
      ({ titleId, point, crop }) => `${titleId} ${point} ${crop !== undefined}`,
    )
    expect(new Set(looks).size).toBe(looks.length)
    for (const { titleId } of LIVE_PICTURES) expect(CATALOGUE.map(({ id }) => id)).toContain(titleId)
  })
})

describe('the live channel', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-live-channel-'))
  })
  afterEach(async () => await rm(folder, { recursive: true, force: true }))

  it('has a number, a name and a logo of its own', async () => {
    expect(CHANNELS.map(({ number }) => number)).not.toContain(LIVE_CHANNEL.number)
    expect(CHANNELS.map(({ name }) => name)).not.toContain(LIVE_CHANNEL.name)
    const { channels, guide } = await writeLiveChannel(folder, NOON)
    expect(JSON.parse(await readFile(channels, 'utf8'))).toEqual({ channels: [LIVE_CHANNEL] })
    expect(await readFile(join(folder, LIVE_CHANNEL.logo), 'utf8')).toMatch(/^<svg /)
    expect(await readFile(guide, 'utf8')).toContain(`channel="${LIVE_CHANNEL.guide}"`)
  })

  it('shows a film between its title and its credits, once the film is made', async () => {
    const film = join(folder, 'Films/La Houle (2026)')
    const file = join(film, 'La Houle (2026).mp4')
    expect(await liveScene(folder)).toBeUndefined()
    await mkdir(film, { recursive: true })
    await writeFile(file, '')
    expect(await liveScene(folder)).toBeUndefined()
    await writeFile(file, 'frames')
    const scene = await liveScene(folder)
    expect(scene?.file).toBe(file)
    expect(scene?.from).toBeGreaterThan(3)
    expect(scene?.to).toBeLessThan(40)
    const short = await liveScene(folder, { secondsPerFilm: 24 })
    expect(short?.to).toBeLessThan(24)
    expect(await liveScene(folder, { only: ['le-metier'] })).toBeUndefined()
    expect(await liveScene(folder, { only: ['encre'] })).toBeUndefined()
  })
})
