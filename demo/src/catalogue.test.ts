import { createCanvas } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { type Cards, cardsFor } from './cards.ts'
import { CATALOGUE, FILMS, SERIES } from './catalogue.ts'
import { BLOCK_PICTURES } from './channel-blocks.ts'
import { CHANNELS } from './channels.ts'
import { FIRST } from './film-order.ts'
import { subRip, webVtt } from './subtitles.ts'
import { cues, episodeTiming, filmTiming, type Timing, timedChapters } from './timing.ts'
import type { Film } from './title.ts'
import { type Told, titleFolder } from './title.ts'
import { trailerCards } from './trailer.ts'

interface Named {
  readonly name: string
  readonly told: Told
  readonly timing: (duration: number) => Timing
}

const EVERYTHING: readonly Named[] = [
  ...FILMS.map((film) => ({ name: film.title, told: film, timing: filmTiming })),
  ...SERIES.flatMap((series) =>
    series.episodes.map((episode) => ({
      name: `${series.title} ${episode.season}x${episode.episode}`,
      told: episode,
      timing: episodeTiming,
    })),
  ),
]

describe('the catalogue', () => {
  it('contains twelve films and a series of two seasons', () => {
    expect(FILMS).toHaveLength(12)
    expect(SERIES).toHaveLength(1)
    expect(SERIES[0]?.seasons.map(({ season }) => season)).toEqual([1, 2])
    for (const { season } of SERIES[0]?.seasons ?? []) {
      expect(
        SERIES[0]?.episodes.filter((episode) => episode.season === season).map(({ episode }) => episode),
      ).toEqual([1, 2, 3])
    }
  })

  it('begins with the film that newcomers should see first', () => {
    expect(CATALOGUE[0]?.id).toBe('la-houle')
  })

  it('gives every film, episode and trailer a number of its own that fits the frame strip', () => {
    const numbers = [
      ...EVERYTHING.map(({ told }) => told.number),
      ...CATALOGUE.map((title) => title.trailerNumber),
    ]
    expect(new Set(numbers).size).toBe(numbers.length)
    for (const number of numbers) {
      expect(number).toBeGreaterThan(0)
      expect(number).toBeLessThanOrEqual(63)
    }
  })

  it('gives each title its own id, folder and world', () => {
    for (const of of [(index: number) => CATALOGUE[index]?.id, (index: number) => CATALOGUE[index]?.world]) {
      expect(new Set(CATALOGUE.map((_, index) => of(index))).size).toBe(CATALOGUE.length)
    }
    for (const title of CATALOGUE) expect(titleFolder(title)).toMatch(/^(Films|Series)\/[^/\\:*?"<>|]+$/)
  })

  it('has titles for all ages', () => {
    expect([...new Set(CATALOGUE.map((title) => title.age))].sort((a, b) => a - b)).toEqual([
      0, 7, 10, 12, 16,
    ])
  })

  it('has two audio languages in most of its films', () => {
    expect(
      FILMS.filter((film) => film.audio.includes('fra') && film.audio.includes('eng')).length,
    ).toBeGreaterThanOrEqual(6)
    for (const title of CATALOGUE) {
      expect(title.plot.fra).not.toBe(title.plot.eng)
      expect(title.tagline.fra).not.toBe(title.tagline.eng)
    }
  })
})

describe.each(EVERYTHING)('$name', ({ told, timing }) => {
  it('lasts 44 to 60 seconds and tells its story in 10 to 16 subtitles in both languages', () => {
    expect(told.durationSeconds).toBeGreaterThanOrEqual(44)
    expect(told.durationSeconds).toBeLessThanOrEqual(60)
    expect(told.narration.length).toBeGreaterThanOrEqual(10)
    expect(told.narration.length).toBeLessThanOrEqual(16)
    for (const { fra, eng } of told.narration) {
      expect(fra.trim()).not.toBe('')
      expect(eng.trim()).not.toBe('')
      expect(fra).not.toBe(eng)
    }
  })

  it.each([12, 24, told.durationSeconds])(
    'keeps its subtitles between opening and credits at %d seconds',
    (duration) => {
      const layout = timing(duration)
      const spoken = cues(told, layout)
      expect(spoken[0]?.from).toBeGreaterThanOrEqual(layout.opening.to)
      expect(spoken.at(-1)?.to).toBeLessThanOrEqual(layout.credits.from)
      for (const [index, cue] of spoken.entries()) {
        expect(cue.to).toBeGreaterThan(cue.from)
        expect(cue.from).toBeGreaterThanOrEqual(spoken[index - 1]?.to ?? 0)
      }
    },
  )

  it('shows each subtitle long enough to be read', () => {
    for (const { from, to, text } of cues(told, timing(told.durationSeconds))) {
      expect(Math.max(text.fra.length, text.eng.length) / (to - from)).toBeLessThan(24)
    }
  })

  it('has chapters without gaps that end with the credits', () => {
    const layout = timing(told.durationSeconds)
    const chapters = timedChapters(told.chapters, layout)
    expect(chapters[0]?.from).toBe(0)
    expect(chapters.at(-1)).toMatchObject({ title: 'Credits', to: told.durationSeconds })
    expect(chapters[0]?.title === 'Intro').toBe(layout.intro !== null)
    for (const [index, chapter] of chapters.entries()) {
      expect(chapter.to).toBeGreaterThan(chapter.from)
      if (index > 0) expect(chapter.from).toBeCloseTo(chapters[index - 1]?.to ?? Number.NaN, 6)
    }
  })
})

describe('the channels', () => {
  it('show blocks of 26 to 104 minutes, made of titles of the library, each with a picture', () => {
    const titles = CATALOGUE.map((title) => title.title)
    expect(CHANNELS.map((channel) => channel.number)).toEqual([1, 2, 3, 4])
    for (const { rules } of CHANNELS) {
      expect(titles).toEqual(expect.arrayContaining([...rules.filler]))
      for (const block of rules.blocks) {
        expect(titles).toEqual(expect.arrayContaining([...block.titles]))
        expect(block.minutes).toBeGreaterThanOrEqual(26)
        expect(block.minutes).toBeLessThanOrEqual(104)
        expect(block.title.fra).not.toBe(block.title.eng)
        expect(block.synopsis.fra).not.toBe(block.synopsis.eng)
        expect(BLOCK_PICTURES.map(({ file }) => file)).toContain(block.picture)
      }
    }
  })

  it('show another picture for each block, and another title for each next programme of Rive', () => {
    const files = BLOCK_PICTURES.map(({ file }) => file)
    expect(new Set(files).size).toBe(files.length)
    const [rive] = CHANNELS
    const day = rive?.rules.dayparts.map(({ titles: [name] }) => {
      const block = rive.rules.blocks.find(({ id }) => name === `block:${id}`)
      return BLOCK_PICTURES.find(({ file }) => file === block?.picture)?.titleId
    })
    expect(day?.filter((title, index) => title === day[index - 1])).toEqual([])
  })

  it('fill the day with six to eight blocks, each at hours that fit its name and its length', () => {
    const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
    for (const { name, rules } of CHANNELS) {
      expect(rules.blocks.length, name).toBeGreaterThanOrEqual(6)
      expect(rules.blocks.length, name).toBeLessThanOrEqual(8)
      for (const [index, { from, titles }] of rules.dayparts.entries()) {
        const next = rules.dayparts[(index + 1) % rules.dayparts.length]!
        const room = (minuteOf(next.from) - minuteOf(from) + 1440) % 1440
        const block = rules.blocks.find(({ id }) => titles.includes(`block:${id}`))!
        // If a part of the day were longer than its block, the channel would repeat the block. If the part were
        // shorter than half of the block, the block would not end at the end of the part (docs/decisions/0037).
        expect(room, `${name} ${from}`).toBeLessThanOrEqual(block.minutes)
        expect(room, `${name} ${from}`).toBeGreaterThanOrEqual(block.minutes / 2)
        expect(next.titles).not.toEqual(titles)
      }
      for (const { id, title } of rules.blocks) {
        const starts = rules.dayparts
          .filter(({ titles }) => titles.includes(`block:${id}`))
          .map(({ from }) => minuteOf(from))
        expect(starts, id).not.toEqual([])
        for (const start of starts) {
          if (/\bmatin/i.test(title.fra)) expect(start, id).toBeLessThan(12 * 60)
          if (/\bsoir/i.test(title.fra)) expect(start, id).toBeGreaterThanOrEqual(18 * 60)
          if (/\bnuit/i.test(title.fra)) expect(start > 18 * 60 || start < 6 * 60, id).toBe(true)
        }
      }
    }
  })

  it('never show pictures of the same title at the same time', () => {
    const titleOf = new Map(BLOCK_PICTURES.map(({ file, titleId }) => [file, titleId]))
    const changes = CHANNELS.flatMap(({ rules }) => rules.dayparts.map(({ from }) => from))
    for (const time of new Set(changes)) {
      const shown = CHANNELS.map(({ rules }) => {
        // Until its first part of the day begins, a channel shows the last part of the previous day.
        const part = rules.dayparts.findLast(({ from }) => from <= time) ?? rules.dayparts.at(-1)
        const block = rules.blocks.find(({ id }) => part?.titles.includes(`block:${id}`))
        return titleOf.get(block?.picture ?? '')
      })
      expect(shown, time).not.toContain(undefined)
      expect(new Set(shown).size, `${time} ${shown.join(', ')}`).toBe(CHANNELS.length)
    }
  })

  it('have a filler among the first films, so that blocks keep their hours before their own titles are made', () => {
    const first = CATALOGUE.filter(({ id }) => FIRST.includes(`${id} film`)).map(({ title }) => title)
    for (const { name, rules } of CHANNELS)
      expect(
        rules.filler.some((title) => first.includes(title)),
        name,
      ).toBe(true)
  })

  it('show small children only titles for small children', () => {
    const small = CHANNELS.find((channel) => channel.name === 'Petit')
    for (const name of small?.rules.blocks.flatMap((block) => block.titles) ?? [])
      expect(CATALOGUE.find((title) => title.title === name)?.age).toBeLessThanOrEqual(7)
  })
})

describe('cards', () => {
  const film = FILMS[0]!
  const frameOf = (cards: Cards, seconds: number) => {
    const canvas = createCanvas(640, 360)
    const picture = canvas.getContext('2d')
    picture.fillStyle = '#3a6ea5'
    picture.fillRect(0, 0, 640, 360)
    cards.draw(picture, seconds)
    return canvas.data()
  }

  it('are the same in every language: they have names of people and no other words', () => {
    const translated: Film = {
      ...film,
      title: 'Another',
      englishTitle: 'Another',
      originalTitle: 'Another',
      tagline: { fra: 'Autre chose.', eng: 'Something else.' },
      lettering: { ...film.lettering, lines: { fra: ['Autre'], eng: ['Other'] } },
      actors: film.actors.map(({ name }) => ({ name, role: 'Quelqu’un' })),
    }
    const [own, other] = [film, translated].map((title) => cardsFor(title, filmTiming(48), 640, 360))
    const [trailer, otherTrailer] = [film, translated].map((title) => trailerCards(title, 640, 360, 10))
    for (const seconds of [0.5, 2, 3.5, 20, 43, 45, 46.5])
      expect(frameOf(own!, seconds).equals(frameOf(other!, seconds)), `at ${seconds} s`).toBe(true)
    for (const seconds of [0.5, 2.5, 5, 8.5, 9.7])
      expect(frameOf(trailer!, seconds).equals(frameOf(otherTrailer!, seconds)), `at ${seconds} s`).toBe(true)
    // The frames above are equal only if the cards contain no words. The following check proves that the cards draw
    // something at all.
    const [before, credits] = [frameOf(own!, 20), frameOf(own!, 45)]
    expect(before.equals(credits)).toBe(false)
  })
})

describe('subtitles', () => {
  const spoken = [
    { from: 0.5, to: 2, text: { fra: 'Bonjour.', eng: 'Good morning.' } },
    {
      from: 61.25,
      to: 3661.5,
      text: { fra: 'Une phrase assez longue pour qu’elle tienne sur deux lignes', eng: 'Short' },
    },
  ]

  it('are numbered and timed as SubRip requires, long lines in two', () => {
    expect(subRip(spoken)).toBe(
      '1\n00:00:00,500 --> 00:00:02,000\nBonjour.\n\n2\n00:01:01,250 --> 01:01:01,500\nUne phrase assez longue pour\nqu’elle tienne sur deux lignes\n',
    )
  })

  it('are timed as WebVTT requires', () => {
    expect(webVtt(spoken)).toBe(
      'WEBVTT\n\n00:00:00.500 --> 00:00:02.000\nGood morning.\n\n00:01:01.250 --> 01:01:01.500\nShort\n',
    )
  })
})
