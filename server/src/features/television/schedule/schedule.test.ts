import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minuteOfDay } from '../../../time/local-time.ts'
import { type ScheduleRules, scheduleRules } from '../../inventory/line-up/schedule-rules.service.ts'
import {
  type Announcement,
  firstCursor,
  type PlannedEntry,
  type ProgrammeResolver,
  planEntries,
  type ScheduledMedia,
  type SchedulePlan,
} from './schedule.ts'

const NOON = Date.UTC(2026, 0, 15, 12)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/**
 * Builds a resolver from `stock`: by title, the length of a film, or of each episode of a series, in seconds. A
 * trailer has the title `trailer of …`. The media of titles in `pending` are still being prepared.
 */
function resolverOf(stock: Record<string, number[]>, pending: readonly string[] = []): ProgrammeResolver {
  let assetId = 0
  const pieces = new Map<string, ScheduledMedia[]>()
  for (const [title, lengths] of Object.entries(stock)) {
    pieces.set(
      title,
      lengths.map((seconds) => ({
        assetId: ++assetId,
        trackSetId: String(assetId).padStart(32, '0'),
        durationMs: seconds * 1000,
        segmentCount: Math.ceil(seconds / 4),
      })),
    )
  }
  return {
    programmes: (title) => pieces.get(title) ?? [],
    fillers: (title) => pieces.get(`trailer of ${title}`) ?? [],
    isPending: (title) => pending.includes(title),
  }
}

function rulesOf(rules: object): ScheduleRules {
  return scheduleRules.parse(rules)
}

function planWhole(
  rules: ScheduleRules,
  resolver: ProgrammeResolver,
  hours = 6,
  startsAt = NOON,
): SchedulePlan {
  const bounds = { until: startsAt + hours * HOUR, limit: 1e6 }
  return planEntries(rules, resolver, firstCursor(startsAt), bounds, 'test')
}

function plan(rules: ScheduleRules, resolver: ProgrammeResolver, hours = 6, startsAt = NOON): PlannedEntry[] {
  return planWhole(rules, resolver, hours, startsAt).entries
}

const played = (entries: PlannedEntry[]) => entries.map(({ piece }) => piece.assetId)

describe('schedule rules', () => {
  it('refuses unknown time zones, invalid times, invalid grids and empty lists, and names the field', () => {
    const faults = scheduleRules.safeParse({
      kind: 'dayparts',
      timeZone: 'Europe/Atlantis',
      dayparts: [{ from: '24:00', titles: [] }],
      roundTo: 7,
    })
    expect(faults.error?.issues.map(({ path }) => path.join('.'))).toEqual([
      'timeZone',
      'dayparts.0.from',
      'dayparts.0.titles',
      'roundTo',
    ])
    expect(() => rulesOf({ kind: 'random', titles: ['A'] })).toThrow()
  })
})

describe('scheduling', () => {
  it('plays a sequence end to end and repeatedly, with the episodes of a series in order', () => {
    const entries = plan(
      rulesOf({ kind: 'sequence', titles: ['A', 'Series'] }),
      resolverOf({ A: [90], Series: [60, 70] }),
      0.2,
    )
    expect(played(entries).slice(0, 7)).toEqual([1, 2, 3, 1, 2, 3, 1])
    expect(entries[0]?.startsAt).toBe(NOON)
    for (const [index, entry] of entries.slice(1).entries())
      expect(entry.startsAt).toBe(entries[index]?.endsAt)
  })

  it('numbers segments and entries without gaps, whatever the rules', () => {
    const title = fc.constantFrom('A', 'B', 'C', 'Series', 'Missing')
    const lengths = fc.array(fc.integer({ min: 1, max: 7200 }), { minLength: 1, maxLength: 5 })
    const blocks = [
      { id: 'evening', title: { eng: 'Evening' }, minutes: 52, titles: ['A', 'Series'] },
      { id: 'missing', title: { eng: 'Missing' }, minutes: 26, titles: ['Missing'] },
      {
        id: 'mixed',
        title: { eng: 'Mixed' },
        minutes: 26,
        order: 'shuffle',
        titles: ['A', 'B', 'C', 'Missing'],
      },
    ]
    const listed = fc.oneof(title, fc.constantFrom('block:evening', 'block:missing', 'block:mixed'))
    const someRules = fc.record({
      kind: fc.constantFrom('sequence', 'shuffle'),
      titles: fc.array(listed, { minLength: 1, maxLength: 6 }),
      blocks: fc.constant(blocks),
      roundTo: fc.constantFrom(null, 1, 5, 30),
      filler: fc.array(fc.constantFrom('A', 'B'), { maxLength: 2 }),
    })
    const stock = fc.record({ A: lengths, B: lengths, C: lengths, Series: lengths, 'trailer of A': lengths })
    fc.assert(
      fc.property(someRules, stock, fc.integer({ min: 1, max: 50 }), (rules, titles, limit) => {
        const resolver = resolverOf(titles)
        const parsed = rulesOf(rules)
        // Scheduling in several pieces, as after a crash, must give the same result as scheduling everything at
        // once.
        const pieces: PlannedEntry[] = []
        const announced = new Map<number, Announcement>()
        let cursor = firstCursor(NOON)
        for (let round = 0; round < 5; round++) {
          const step = planEntries(parsed, resolver, cursor, { until: NOON + 48 * HOUR, limit }, 'seed')
          pieces.push(...step.entries)
          for (const announcement of step.announcements) announced.set(announcement.position, announcement)
          cursor = structuredClone(step.cursor)
        }
        const whole = planEntries(
          parsed,
          resolver,
          firstCursor(NOON),
          { until: NOON + 48 * HOUR, limit: Math.max(1, pieces.length) },
          'seed',
        )
        expect(whole.entries.slice(0, pieces.length)).toEqual(pieces)
        const amiss = pieces.filter((entry, index) => {
          const before = pieces[index - 1]
          return (
            entry.position !== index ||
            entry.discontinuitySequence !== index ||
            entry.startsAt !== (before?.endsAt ?? NOON) ||
            entry.mediaSequence !== (before ? before.mediaSequence + before.piece.segmentCount : 0)
          )
        })
        expect(amiss).toEqual([])
        // The guide must have neither gaps nor overlaps, and each programme must begin with its first entry.
        for (const [index, { position, startsAt, endsAt }] of [...announced.values()].entries()) {
          expect(startsAt).toBe(pieces[position]?.startsAt)
          const next = [...announced.values()][index + 1]
          if (next) expect(endsAt).toBe(next.startsAt)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('shuffles without repeating: every title plays once per round, and no round begins with the last title played', () => {
    const titles = ['A', 'B', 'C', 'D', 'E']
    const resolver = resolverOf(Object.fromEntries(titles.map((title) => [title, [60]])))
    const order = played(plan(rulesOf({ kind: 'shuffle', titles }), resolver, 24))
    const rounds = Array.from({ length: Math.floor(order.length / 5) }, (_, index) =>
      order.slice(index * 5, index * 5 + 5),
    )
    for (const [index, round] of rounds.entries()) {
      expect(new Set(round).size).toBe(5)
      if (index > 0) expect(round[0]).not.toBe(rounds[index - 1]?.[4])
    }
    expect(new Set(rounds.map(String)).size).toBeGreaterThan(50)
  })

  it('plays the next episode of a series when shuffling', () => {
    const order = played(
      plan(
        rulesOf({ kind: 'shuffle', titles: ['A', 'Series'] }),
        resolverOf({ A: [60], Series: [60, 60, 60] }),
      ),
    )
    expect(order.filter((id) => id !== 1).slice(0, 5)).toEqual([2, 3, 4, 2, 3])
  })

  it('adds titles that have become ready, and continues in the right place when the list changes', () => {
    const rules = rulesOf({ kind: 'sequence', titles: ['A', 'B', 'C'] })
    const few = resolverOf({ A: [60], C: [60] })
    const first = planEntries(rules, few, firstCursor(NOON), { until: NOON + 3 * MINUTE, limit: 3 }, 'x')
    expect(played(first.entries)).toEqual([1, 2, 1])
    const all = { ...resolverOf({ A: [60], C: [60], B: [60] }) }
    const next = planEntries(
      rules,
      all,
      first.cursor,
      { until: first.cursor.endsAt + 3 * MINUTE, limit: 3 },
      'x',
    )
    expect(played(next.entries)).toEqual([3, 2, 1])
  })

  it('plays nothing when nothing is ready', () => {
    expect(plan(rulesOf({ kind: 'shuffle', titles: ['Missing'] }), resolverOf({ A: [60] }))).toEqual([])
  })

  it('fills up to round times with whole trailers, and leaves no gap if none fits', () => {
    const rules = rulesOf({ kind: 'sequence', titles: ['A'], roundTo: 5, filler: ['A', 'B'] })
    const resolver = resolverOf({ A: [250], 'trailer of A': [20], 'trailer of B': [30] })
    const entries = plan(rules, resolver, 0.25)
    // 250 s of film, then trailers of 20 s and 30 s: together exactly five minutes.
    expect(entries.slice(0, 4).map(({ kind, startsAt }) => [kind, (startsAt - NOON) / 1000])).toEqual([
      ['programme', 0],
      ['filler', 250],
      ['filler', 270],
      ['programme', 300],
    ])
    expect(planWhole(rules, resolver, 0.25).announcements[0]).toMatchObject({
      startsAt: NOON,
      endsAt: NOON + 300_000,
    })
    const odd = plan(rules, resolverOf({ A: [255], 'trailer of A': [20] }), 0.25)
    expect(odd.slice(0, 4).map(({ kind, startsAt }) => [kind, (startsAt - NOON) / 1000])).toEqual([
      ['programme', 0],
      ['filler', 255],
      ['filler', 275],
      ['programme', 295],
    ])
  })

  describe('with blocks', () => {
    const evening = { id: 'evening', title: { eng: 'Evening' }, minutes: 52, titles: ['A', 'B'] }
    const night = { id: 'night', title: { eng: 'Night' }, minutes: 26, titles: ['B'] }

    it('announces one programme for all titles of a block, and ends it with a filler near a round time', () => {
      const rules = rulesOf({
        kind: 'sequence',
        titles: ['block:evening', 'block:night'],
        blocks: [evening, night],
        roundTo: 5,
        filler: ['A'],
      })
      const resolver = resolverOf({ A: [613], B: [401], 'trailer of A': [14] })
      const { entries, announcements } = planWhole(rules, resolver, 12)
      const names = announcements.map(({ shows }) => ('block' in shows ? shows.block.id : ''))
      expect(names.slice(0, 4)).toEqual(['evening', 'night', 'evening', 'night'])
      // Each evening continues the order of the previous evening: A, B, A, B, A, then B.
      const films = (index: number) =>
        entries
          .filter(
            ({ kind, startsAt }) =>
              kind === 'programme' &&
              startsAt >= announcements[index]!.startsAt &&
              startsAt < announcements[index]!.endsAt,
          )
          .map(({ piece }) => piece.assetId)
      expect(films(0)).toEqual([1, 2, 1, 2, 1])
      expect(films(1)).toEqual([2, 2, 2])
      expect(films(2)).toEqual([2, 1, 2, 1, 2])
      for (const { startsAt } of announcements) expect(startsAt % 300_000).toBeLessThan(14_000)
    })

    it('ends a block early rather than overrun by much, and plays one long film in full', () => {
      const rules = rulesOf({
        kind: 'sequence',
        titles: ['block:evening', 'block:night'],
        blocks: [{ ...evening, titles: ['A'] }, night],
      })
      const { announcements } = planWhole(rules, resolverOf({ A: [1200], B: [7200] }), 6)
      expect(announcements.slice(0, 2).map(({ startsAt, endsAt }) => (endsAt - startsAt) / 1000)).toEqual([
        2400, 7200,
      ])
    })

    it('announces a block before it is scheduled to its end, and its real end once that is known', () => {
      const rules = rulesOf({ kind: 'sequence', titles: ['block:evening'], blocks: [evening] })
      const resolver = resolverOf({ A: [600], B: [500] })
      const first = planEntries(
        rules,
        resolver,
        firstCursor(NOON),
        { until: NOON + 10 * MINUTE, limit: 99 },
        'x',
      )
      expect(first.announcements).toMatchObject([{ position: 0, startsAt: NOON, endsAt: NOON + 52 * MINUTE }])
      const { cursor } = first
      const later = planEntries(rules, resolver, cursor, { until: NOON + HOUR, limit: 99 }, 'x')
      expect(later.announcements[0]).toMatchObject({ position: 0, startsAt: NOON, endsAt: NOON + 2800_000 })
    })

    it('ends a block where an outage cut it, and begins another one after it', () => {
      const rules = rulesOf({ kind: 'sequence', titles: ['block:evening'], blocks: [evening] })
      const resolver = resolverOf({ A: [600], B: [600] })
      const { cursor } = planEntries(rules, resolver, firstCursor(NOON), { until: NOON + 1, limit: 99 }, 'x')
      const back = NOON + 30 * MINUTE
      const bounds = { until: back + MINUTE, limit: 99 }
      const { announcements } = planEntries(rules, resolver, { ...cursor, endsAt: back }, bounds, 'x')
      expect(announcements.map(({ startsAt, endsAt }) => [startsAt, endsAt])).toEqual([
        [NOON, NOON + 10 * MINUTE],
        [back, back + 52 * MINUTE],
      ])
    })

    it('skips a block without ready titles', () => {
      const rules = rulesOf({
        kind: 'sequence',
        titles: ['block:night', 'block:evening'],
        blocks: [evening, night],
      })
      const { announcements } = planWhole(rules, resolverOf({ A: [600] }), 1)
      expect(announcements.map(({ shows }) => 'block' in shows && shows.block.id)).toEqual([
        'evening',
        'evening',
      ])
    })

    it('refuses a block that is undefined, nested, too long or too short', () => {
      const faultsOf = (rules: object) =>
        scheduleRules.safeParse(rules).error?.issues.map(({ path }) => path.join('.'))
      const list = { kind: 'sequence', titles: ['block:evening'] }
      expect(faultsOf(list)).toEqual(['blocks'])
      expect(faultsOf({ ...list, blocks: [evening, evening] })).toEqual(['blocks'])
      expect(faultsOf({ ...list, blocks: [{ ...evening, titles: ['block:evening'] }] })).toEqual([
        'blocks.0.titles',
      ])
      for (const minutes of [0, 25, 105, 60.5])
        expect(faultsOf({ ...list, blocks: [{ ...evening, minutes }] })).toEqual(['blocks.0.minutes'])
      expect(
        faultsOf({ ...list, titles: ['A'], blocks: [{ ...evening, id: 'No Slug', title: {} }] }),
      ).toEqual(['blocks.0.id', 'blocks.0.title'])
    })
  })

  it('switches with the part of the day by the local clock, on both daylight-saving days too', () => {
    const rules = rulesOf({
      kind: 'dayparts',
      timeZone: 'Europe/Paris',
      dayparts: [
        { from: '06:00', titles: ['Day'] },
        { from: '22:30', titles: ['Night'] },
      ],
    })
    const resolver = resolverOf({ Day: [600], Night: [600] })
    for (const day of [Date.UTC(2026, 2, 28, 12), Date.UTC(2026, 9, 24, 12), NOON]) {
      const entries = plan(rules, resolver, 36, day)
      const wrong = entries.filter(({ startsAt, piece }) => {
        const minute = minuteOfDay('Europe/Paris', startsAt)
        return (piece.assetId === 1) !== (minute >= 360 && minute < 1350)
      })
      expect(wrong).toEqual([])
    }
    // The night of the last Sunday in March is an hour shorter. The night of the last Sunday in October is an hour
    // longer.
    const nightLength = (day: number) =>
      plan(rules, resolver, 24, day).filter(({ piece }) => piece.assetId === 2).length
    const ordinary = nightLength(NOON)
    expect(nightLength(Date.UTC(2026, 2, 28, 12)) - ordinary).toBe(-6)
    expect(nightLength(Date.UTC(2026, 9, 24, 12)) - ordinary).toBe(6)
  })

  it('substitutes another part of the day for one whose titles are not ready', () => {
    const rules = rulesOf({
      kind: 'dayparts',
      dayparts: [
        { from: '06:00', titles: ['Missing'] },
        { from: '20:00', titles: ['Evening'] },
      ],
    })
    expect(plan(rules, resolverOf({ Evening: [600] }), 1)).toHaveLength(6)
  })

  describe('with blocks at fixed hours', () => {
    const morning = { id: 'morning', title: { eng: 'Morning' }, minutes: 60, titles: ['A'] }
    const noon = { id: 'noon', title: { eng: 'Noon' }, minutes: 60, titles: ['B'] }
    const rules = rulesOf({
      kind: 'dayparts',
      timeZone: 'UTC',
      dayparts: [
        { from: '11:00', titles: ['block:morning'] },
        { from: '12:00', titles: ['block:noon'] },
        { from: '13:00', titles: ['block:morning'] },
      ],
      blocks: [morning, noon],
      roundTo: 5,
      filler: ['C'],
    })
    /** Returns the announced starts of all blocks, in minutes after noon. */
    const announced = (resolver: ProgrammeResolver, startsAt: number) =>
      planWhole(rules, resolver, 3, startsAt).announcements.map(({ startsAt, endsAt, shows }) => [
        'block' in shows ? shows.block.id : shows.assetId,
        Math.round((startsAt - NOON) / MINUTE),
        Math.round((endsAt - NOON) / MINUTE),
      ])

    it('ends a block that began late with its part of the day, unless less than half of it were left', () => {
      const resolver = resolverOf({ A: [300], B: [300] })
      expect(announced(resolver, NOON - 30 * MINUTE).slice(0, 2)).toEqual([
        ['morning', -30, 0],
        ['noon', 0, 60],
      ])
      expect(announced(resolver, NOON - 25 * MINUTE).slice(0, 3)).toEqual([
        ['morning', -25, 35],
        ['noon', 35, 95],
        ['morning', 95, 155],
      ])
    })

    it('assigns a programme that begins less than a minute before a part of the day to that part', () => {
      const resolver = resolverOf({ A: [300], B: [300] })
      expect(announced(resolver, NOON - MINUTE / 2)[0]?.[0]).toBe('noon')
      expect(announced(resolver, NOON - 2 * MINUTE)[0]?.[0]).toBe('morning')
    })

    it('fills a block whose titles are being prepared, and adds them when they are ready', () => {
      const waiting = resolverOf({ A: [300], 'trailer of C': [30] }, ['B'])
      expect(announced(waiting, NOON)[0]).toEqual(['noon', 0, 60])
      const begun = planEntries(rules, waiting, firstCursor(NOON), { until: NOON + MINUTE, limit: 9 }, 'x')
      expect(begun.entries.map(({ kind }) => kind)).toEqual(['filler', 'filler'])
      const ready = resolverOf({ A: [300], B: [300] })
      const until = NOON + 5 * MINUTE
      const next = planEntries(rules, ready, begun.cursor, { until, limit: 1 }, 'x')
      expect(next.entries.map(({ kind, piece }) => [kind, piece.assetId])).toEqual([['programme', 2]])
      expect(next.announcements).toMatchObject([{ position: 0, startsAt: NOON, endsAt: NOON + HOUR }])
    })

    it('lets the following blocks substitute in turn rather than repeat one', () => {
      const from = { evening: '19:00', night: '02:00', gone: '04:00' }
      const rules = rulesOf({
        kind: 'dayparts',
        timeZone: 'UTC',
        dayparts: Object.entries(from).map(([id, time]) => ({ from: time, titles: [`block:${id}`] })),
        blocks: Object.keys(from).map((id) => ({ id, title: { eng: id }, minutes: 60, titles: [id] })),
      })
      const resolver = resolverOf({ evening: [300], night: [300] })
      const ids = planWhole(rules, resolver, 3, NOON).announcements.map(
        ({ shows }) => 'block' in shows && shows.block.id,
      )
      expect(ids).toEqual(['evening', 'night', 'evening'])
    })

    it('substitutes another block for one whose titles are gone', () => {
      expect(announced(resolverOf({ A: [300], 'trailer of C': [30] }), NOON)[0]?.[0]).toBe('morning')
    })
  })
})
