import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aligned, asAnnounced, type Followed, follow, type Showing } from './follow-programme.ts'

const MINUTE = 60_000
/** Returns a time of the evening, in milliseconds. */
const at = (hours: number, minutes = 0) => (hours * 60 + minutes) * MINUTE

let ids = 0
function showing(title: string, from: number, to: number, more: Partial<Showing> = {}): Showing {
  return { id: ++ids, ownId: null, contentKey: title, titleKey: title, startsAt: from, endsAt: to, ...more }
}

/** Returns a programme of a guide in the form that its recording stores. */
function recorded(guide: readonly Showing[], programme: Showing): Followed {
  return { ...programme, ...asAnnounced(programme, guide) }
}

/** Returns start and end of the programme in a guide; undefined if it was dropped. */
function placeIn(guide: readonly Showing[], programme: Followed) {
  const place = follow(programme, guide)
  return place && [place.showing.startsAt, place.endsAt]
}

describe('a recording follows its programme when the guide', () => {
  const film = showing('Film', at(20), at(22))
  const news = showing('News', at(19, 30), at(20))
  const evening = recorded([news, film], film)

  it('moves it', () => {
    expect(placeIn([showing('Film', at(20, 25), at(22, 25))], evening)).toEqual([at(20, 25), at(22, 25)])
    expect(placeIn([showing('Film', at(18), at(20))], evening)).toEqual([at(18), at(20)])
  })

  it('lengthens or shortens it', () => {
    expect(placeIn([showing('Film', at(20), at(23, 10))], evening)).toEqual([at(20), at(23, 10)])
    expect(placeIn([showing('Film', at(20), at(21))], evening)).toEqual([at(20), at(21)])
  })

  it('splits it', () => {
    const split = [
      showing('Film', at(20), at(21)),
      showing('News', at(21), at(21, 10)),
      showing('Film', at(21, 10), at(22, 10)),
    ]
    expect(placeIn(split, evening)).toEqual([at(20), at(22, 10)])
    // The next import announces the same guide.
    const [first] = split
    if (!first) throw new Error('The film has no first part.')
    expect(placeIn(split, recorded(split, first))).toEqual([at(20), at(21)])
    expect(placeIn(split, { ...evening, startsAt: at(20), endsAt: at(22, 10) })).toEqual([at(20), at(22, 10)])
  })

  it('drops it, and brings it back', () => {
    expect(placeIn([news, showing('Special', at(20), at(22))], evening)).toBeUndefined()
    expect(placeIn([news, film], evening)).toEqual([at(20), at(22)])
  })

  it('corrects its subtitle', () => {
    const corrected = showing('Film', at(20), at(22), { contentKey: 'Film, director’s cut' })
    expect(placeIn([corrected], evening)).toEqual([at(20), at(22)])
  })

  it('renames it and keeps the id of its source', () => {
    const named = showing('Film', at(20), at(22), { ownId: 'EP1' })
    const renamed = showing('The Film', at(20, 30), at(22, 30), { ownId: 'EP1' })
    expect(placeIn([renamed], recorded([named], named))).toEqual([at(20, 30), at(22, 30)])
  })
})

describe('a recording does not take', () => {
  const journals = [19, 20, 21, 22].map((hour) => showing('Journal', at(hour), at(hour, 15)))
  const [, eight] = journals
  if (!eight) throw new Error('There is no journal at eight.')
  const recording = recorded(journals, eight)

  it('the next showing for a programme that was dropped', () => {
    expect(placeIn(journals.toSpliced(1, 1), recording)).toBeUndefined()
  })

  it('the next showing when all of them move', () => {
    const late = journals.map(({ startsAt, endsAt }) => showing('Journal', startsAt + at(1), endsAt + at(1)))
    expect(placeIn(late, recording)).toEqual([at(21), at(21, 15)])
  })

  it('the showing of another day for a programme that was dropped', () => {
    const daily = [0, 24, 48].map((hour) => showing('Journal', at(20 + hour), at(20 + hour, 15)))
    const [first] = daily
    if (!first) throw new Error('There is no journal.')
    expect(placeIn(daily.slice(1), recorded([first], first))).toBeUndefined()
  })

  it('the following episode for a second part', () => {
    const episodes = [0, 1, 2].map((number) =>
      showing('Series', at(20) + number * 30 * MINUTE, at(20, 30) + number * 30 * MINUTE),
    )
    const [first] = episodes
    if (!first) throw new Error('There is no episode.')
    const shorter = episodes.map((episode, index) =>
      showing('Series', episode.startsAt - index * 5 * MINUTE, episode.endsAt - (index + 1) * 5 * MINUTE),
    )
    expect(placeIn(episodes, recorded(episodes, first))).toEqual([at(20), at(20, 30)])
    expect(placeIn(shorter, recorded(episodes, first))).toEqual([at(20), at(20, 25)])
  })
})

describe('short showings of the same title stay apart', () => {
  it.each<[string, readonly Showing[]]>([
    [
      'one after the other',
      [0, 1, 2, 3].map((number) => showing('Cartoon', at(8, number * 10), at(8, number * 10 + 10))),
    ],
    [
      'around other programmes',
      [0, 1, 2].flatMap((number) => [
        showing('Flash', at(10 + number), at(10 + number, 5)),
        showing('Music', at(10 + number, 5), at(11 + number)),
      ]),
    ],
    ['of different lengths', [showing('Weather', at(8), at(8, 1)), showing('Weather', at(8, 1), at(8, 6))]],
    [
      'with ids of their source',
      [0, 1].map((number) =>
        showing('Teleshopping', at(9, number * 8), at(9, number * 8 + 8), { ownId: 'SHOP' }),
      ),
    ],
  ])('%s', (_name, guide) => {
    for (const programme of guide) {
      const { startsAt, endsAt } = programme
      const recording = recorded(guide, programme)
      expect(placeIn(guide, recording)).toEqual([startsAt, endsAt])
    }
  })

  it('when all of them move', () => {
    const guide = [0, 1, 2, 3].map((number) =>
      showing('Cartoon', at(8, number * 10), at(8, number * 10 + 10)),
    )
    const late = guide.map(({ startsAt, endsAt }) =>
      showing('Cartoon', startsAt + at(0, 5), endsAt + at(0, 5)),
    )
    for (const programme of guide)
      expect(placeIn(late, recorded(guide, programme))).toEqual([
        programme.startsAt + at(0, 5),
        programme.endsAt + at(0, 5),
      ])
  })
})

describe('showings before and after a change', () => {
  it.each([
    [[], [], []],
    [[20], [21], [0]],
    [[20, 21], [21], [undefined, 0]],
    [[20, 21], [20], [0, undefined]],
    [
      [20, 21],
      [22, 23],
      [0, 1],
    ],
    [[20], [12, 19, 23], [1]],
    [
      [19, 20, 21],
      [20, 22],
      [undefined, 0, 1],
    ],
  ])('%j and %j are paired as %j', (before, now, pairs) => {
    expect(aligned(before, now)).toEqual(pairs)
  })

  it('are paired in order, as many as possible, none of them twice', () => {
    const starts = fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { maxLength: 8 })
    fc.assert(
      fc.property(starts, starts, (some, others) => {
        const before = some.toSorted((one, other) => one - other)
        const now = others.toSorted((one, other) => one - other)
        const paired = aligned(before, now).filter((index) => index !== undefined)
        expect(paired).toHaveLength(Math.min(before.length, now.length))
        expect(paired).toEqual([...new Set(paired)].toSorted((one, other) => one - other))
      }),
    )
  })
})

/** A change in the guide of a channel. */
type Change =
  | { kind: 'delay'; from: number; minutes: number }
  | { kind: 'lengthen'; which: number; minutes: number }
  | { kind: 'drop' | 'restore' | 'split'; which: number }

/** The actual broadcast of a programme: its times, and whether it is dropped, or split by a break. */
interface Truth {
  title: string
  startsAt: number
  lengthMs: number
  isDropped: boolean
  isSplit: boolean
}

const BREAK_MS = 10 * MINUTE

/** Returns the guide in which programmes follow each other, from their planned times on. */
function announced(truth: readonly Truth[]): Showing[] {
  return truth.flatMap(({ title, startsAt, lengthMs, isDropped, isSplit }) => {
    if (isDropped) return [showing('Special', startsAt, startsAt + lengthMs)]
    if (!isSplit) return [showing(title, startsAt, startsAt + lengthMs)]
    const half = startsAt + lengthMs / 2
    return [
      showing(title, startsAt, half),
      showing('News', half, half + BREAK_MS),
      showing(title, half + BREAK_MS, startsAt + lengthMs + BREAK_MS),
    ]
  })
}

const endOf = ({ startsAt, lengthMs, isSplit }: Truth) => startsAt + lengthMs + (isSplit ? BREAK_MS : 0)

/** Moves each programme that overlaps the previous programme. */
function withoutOverlaps(truth: readonly Truth[]): Truth[] {
  let end = 0
  return truth.map((each) => {
    const placed = { ...each, startsAt: Math.max(each.startsAt, end) }
    end = endOf(placed)
    return placed
  })
}

function changed(truth: readonly Truth[], change: Change): Truth[] {
  return withoutOverlaps(
    truth.map((each, index) => {
      if (change.kind === 'delay')
        return index < change.from ? each : { ...each, startsAt: each.startsAt + change.minutes * MINUTE }
      if (index !== change.which) return each
      if (change.kind === 'lengthen') return { ...each, lengthMs: each.lengthMs + change.minutes * MINUTE }
      if (change.kind === 'split') return { ...each, isSplit: true }
      return { ...each, isDropped: change.kind === 'drop' }
    }),
  )
}

it('each recording covers its programme through a week of changes of the guide', () => {
  const DAYS = 7
  const PER_DAY = 6
  // Each series is on twice a day, so its title alone does not identify a showing.
  const week: Truth[] = Array.from({ length: DAYS * PER_DAY }, (_, index) => ({
    title: index % 3 === 0 ? 'Series' : `Film ${index}`,
    startsAt: Math.floor(index / PER_DAY) * at(24) + at(16) + (index % PER_DAY) * 70 * MINUTE,
    lengthMs: 60 * MINUTE,
    isDropped: false,
    isSplit: false,
  }))
  const which = fc.integer({ min: 0, max: week.length - 1 })
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.record({
      kind: fc.constant('delay' as const),
      from: which,
      minutes: fc.integer({ min: 1, max: 90 }),
    }),
    fc.record({
      kind: fc.constant('lengthen' as const),
      which,
      minutes: fc.integer({ min: 1, max: 45 }),
    }),
    fc.record({ kind: fc.constantFrom('drop' as const, 'restore' as const, 'split' as const), which }),
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      let truth: Truth[] = week
      let guide = announced(truth)
      const recordings = truth.map(({ startsAt }) => {
        const programme = guide.find((each) => each.startsAt === startsAt)
        if (!programme) throw new Error('The guide does not have a programme.')
        return recorded(guide, programme)
      })
      for (const each of changes) {
        truth = changed(truth, each)
        guide = announced(truth)
        for (const [index, recording] of recordings.entries()) {
          const place = follow(recording, guide)
          if (!place) continue
          const { showing, endsAt, otherStarts } = place
          recordings[index] = { ...recording, startsAt: showing.startsAt, endsAt, otherStarts }
        }
      }
      for (const [index, { startsAt, endsAt }] of recordings.entries()) {
        const programme = truth[index]
        if (!programme || programme.isDropped) continue
        expect([startsAt, endsAt]).toEqual([programme.startsAt, endOf(programme)])
      }
    }),
    { numRuns: 300 },
  )
})
