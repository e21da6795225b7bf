import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { epg } from '@ondine/contract/channels'
import {
  createRecording,
  listRecordings,
  type Recording,
  readQuota,
  readRecording,
  removeRecording,
  restoreRecording,
} from '@ondine/contract/recordings'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { type Announced, GuideWeek, type WeekProgramme } from '../../../../test/guide-week.ts'
import { guideOf, show } from '../../../../test/guides.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { untilWaiting } from '../../../../test/waiting.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import type { MailOrder } from '../../people/mail/mail.service.ts'
import { writeEmail } from '../../people/mail/write-email.ts'
import { ensurePackage } from '../../rights/entitlements/packages.service.ts'
import { createChannelAir } from '../../streams/on-air/on-air.service.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { followHourly, tendRecordings } from './recording-jobs.ts'
import { tellDropped } from './tell-dropped.ts'

const HOUR = 3600
const NOW = NOON / 1000

describe.each(MAIN_DB)('recordings follow the guide, on a database of kind %s', (kind) => {
  let folder: string
  const ids: Record<string, number> = {}
  const scene = testScene(kind, {
    actor: { packages: { television: {} } },
    prepared: async ({ service: { context }, make }) => {
      await ensurePackage(context.db, 'television', { fra: 'Télévision' }, 1000)
      await ensurePackage(context.db, 'elsewhere', { fra: 'Ailleurs' })
      const rules = { kind: 'sequence', titles: ['x'] }
      for (const name of ['un', 'deux', 'trois', 'ailleurs']) {
        const live = { kind: 'live', rules: null, guideId: name } as const
        const inPackages = name === 'ailleurs' ? ['elsewhere'] : ['television']
        ids[name] = (await make.channel(name, rules, { ...live, inPackages })).id
      }
    },
  })
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-guides-'))
  })
  beforeEach(async () => {
    scene.service.clock.set(NOON)
    await scene.service.context.db.delete(programmes)
    await scene.service.context.db.delete(recordedProgrammes)
  })
  afterAll(async () => await rm(folder, { recursive: true, force: true }))

  /** Imports the guide of some channels. */
  async function announce(guide: Record<string, readonly Announced[]>): Promise<void> {
    const path = join(folder, 'guide.xml')
    const all = Object.entries(guide).flatMap(([channel, entries]) =>
      entries.map(([title, from, to, inside = '']) =>
        show(channel, from, to, `<title>${title}</title>${inside}`),
      ),
    )
    await writeFile(path, guideOf(all.join('\n')))
    await runCommand(scene.service, 'guide import', [path], { name: 'guide' })
  }
  async function record(channel: string, title: string, place = 0): Promise<number> {
    const id = ids[channel] ?? 0
    const input = { start: NOW - 12 * HOUR, offset: 0, hours: 240, channelIds: [id] }
    const { result } = await scene.service.call(epg, input, scene.actor.tokens)
    const programme = (result[`chan_${id}`] ?? []).filter((each) => each.title === title)[place]
    const wanted = { idEvent: programme?.id ?? 0, idChannel: id }
    return (await scene.service.call(createRecording, wanted, scene.actor.tokens)).result.id
  }
  const list = async () => (await scene.service.call(listRecordings, {}, scene.actor.tokens)).result.records
  /** Returns the title, the hours from noon, and the note of each recording. */
  const placed = async () =>
    (await list()).map(({ title, startutc, endutc, note }: Recording) => [
      title,
      (startutc - NOW) / HOUR,
      (endutc - NOW) / HOUR,
      note,
    ])
  const planned = async () =>
    (await scene.service.call(readQuota, {}, scene.actor.tokens)).result.npvr.planned
  const parts = () => {
    const { db, log, settings, configurations, connection } = scene.service.context
    const air = createChannelAir(db, createTrackSetStore(db), connection.changes)
    return { db, log, settings, configurations, air }
  }

  const evening: readonly Announced[] = [
    ['Journal', 7.5, 8],
    ['Le Film', 8, 10],
    ['Débat', 10, 11],
  ]

  it.each<[string, Announced[], unknown[]]>([
    [
      'moved',
      [
        ['Journal', 7.5, 8.5],
        ['Le Film', 8.5, 10.5],
        ['Débat', 10.5, 11],
      ],
      ['Le Film', 8.5, 10.5, null],
    ],
    [
      'lengthened',
      [
        ['Journal', 7.5, 8],
        ['Le Film', 8, 10.75],
        ['Débat', 10.75, 11],
      ],
      ['Le Film', 8, 10.75, null],
    ],
    [
      'split',
      [
        ['Journal', 7.5, 8],
        ['Le Film', 8, 9],
        ['Flash', 9, 9.25],
        ['Le Film', 9.25, 10.25],
        ['Débat', 10.25, 11],
      ],
      ['Le Film', 8, 10.25, null],
    ],
    [
      'dropped',
      [
        ['Journal', 7.5, 8],
        ['Édition spéciale', 8, 11],
      ],
      ['Le Film', 8, 10, 'dropped'],
    ],
  ])('when their programme is %s', async (_name, later, expected) => {
    await announce({ un: evening })
    await record('un', 'Le Film')
    await announce({ un: later })
    expect(await placed()).toEqual([expected])
  })

  describe('A7.3-09 a short programme that is repeated soon', () => {
    const weather = (delay = 0): Announced[] => [
      ['Jeu', 6 + delay, 6.9 + delay],
      ['Météo', 6.9 + delay, 7 + delay],
      ['Journal', 7 + delay, 7.6 + delay],
      ['Météo', 7.6 + delay, 7.7 + delay],
      ['Film', 7.7 + delay, 9],
    ]
    const MINUTES = 60_000

    it('is recorded alone, and apart from its repeat', async () => {
      await announce({ un: weather() })
      const second = await record('un', 'Météo', 1)
      expect(await placed()).toEqual([['Météo', 7.6, 7.7, null]])
      expect(await planned()).toBe(6 * MINUTES)
      expect(await record('un', 'Météo', 1)).toBe(second)
      expect(await record('un', 'Météo', 0)).not.toBe(second)
      expect(await placed()).toEqual([
        ['Météo', 7.6, 7.7, null],
        ['Météo', 6.9, 7, null],
      ])
    })

    it('stays apart from its repeat when the guide changes', async () => {
      await announce({ un: weather() })
      await record('un', 'Météo', 1)
      await announce({ un: weather(0.5) })
      expect(await placed()).toEqual([['Météo', 8.1, 8.2, null]])
      expect(await planned()).toBe(6 * MINUTES)
    })
  })

  it('a dropped programme names its next showing, counts no recording time, and comes back when the guide was wrong', async () => {
    const later: Announced[] = [
      ['Journal', 31.5, 32],
      ['Le Film', 32, 34],
    ]
    await announce({ un: [...evening, ...later] })
    await record('un', 'Le Film')
    await announce({ un: [['Journal', 7.5, 8], ['Édition spéciale', 8, 11], ...later] })
    expect(await placed()).toEqual([['Le Film', 8, 10, 'dropped']])
    expect((await list())[0]?.next?.startutc).toBe(NOW + 32 * HOUR)
    expect((await list())[0]?.idEvent).toBeNull()
    expect(await planned()).toBe(0)
    await announce({ un: [...evening, ...later] })
    expect(await placed()).toEqual([['Le Film', 8, 10, null]])
    expect((await list())[0]?.next).toBeNull()
    expect(await planned()).toBe(2 * HOUR * 1000)
  })

  it('a dropped programme has no next showing once the profile records that showing', async () => {
    const later: Announced = ['Le Film', 30, 32]
    await announce({ un: evening, deux: [later] })
    const first = await record('un', 'Le Film')
    await announce({ un: [['Édition spéciale', 8, 11]], deux: [later] })
    const nextOf = async () => {
      const { result } = await scene.service.call(readRecording, { id: first }, scene.actor.tokens)
      const listed = (await list()).find(({ id }) => id === first)
      return [listed?.next, result.next].map((next) => next?.startutc ?? null)
    }
    const start = NOW + 30 * HOUR
    expect(await nextOf()).toEqual([start, start])
    const second = await record('deux', 'Le Film')
    expect(await nextOf()).toEqual([null, null])
    await scene.service.call(removeRecording, { id: second }, scene.actor.tokens)
    expect(await nextOf()).toEqual([start, start])
  })

  it('a dropped programme does not jump to another day, when a later programme of the channel is recorded', async () => {
    const week: Announced[] = [1, 2, 3, 4].map((day) => ['Journal', day * 24 + 8, day * 24 + 8.5])
    const film: Announced = ['Le Film', 4 * 24 + 9, 4 * 24 + 11]
    await announce({ un: [['Journal', 8, 8.5], ...week, film] })
    await record('un', 'Journal')
    await record('un', 'Le Film')
    await announce({ un: [['Édition spéciale', 8, 8.5], ...week, film] })
    expect(await placed()).toEqual([
      ['Le Film', 105, 107, null],
      ['Journal', 8, 8.5, 'dropped'],
    ])
  })

  describe('a dropped programme', () => {
    const ordered: MailOrder[] = []
    const mail = {
      order: async (...orders: readonly MailOrder[]) => {
        ordered.push(...orders)
      },
    }
    beforeEach(() => ordered.splice(0))
    const tell = async (hours: number) => {
      const now = NOON + hours * HOUR * 1000
      scene.service.clock.set(now)
      await tellDropped({ db: scene.service.context.db, mail, originOf: () => 'https://tv.test' }, now)
      return ordered.map(({ dropped }) => dropped?.programmes.map(({ titles }) => titles.fra))
    }
    const later: Announced = ['Le Film', 32, 34]

    it('has a next showing on any channel that the account may watch', async () => {
      await announce({
        un: [...evening, later],
        deux: [['Le Film', 30, 32]],
        ailleurs: [['Le Film', 28, 30]],
      })
      await record('un', 'Le Film')
      await announce({ un: [['Édition spéciale', 8, 11], later] })
      const [recording] = await list()
      expect(recording?.next).toMatchObject({
        idChannel: ids.deux,
        channel: 'deux',
        startutc: NOW + 30 * HOUR,
      })
      const wanted = { idEvent: recording?.next?.idEvent ?? 0, idChannel: ids.deux ?? 0 }
      expect((await scene.service.call(createRecording, wanted, scene.actor.tokens)).status).toBe(200)
    })

    it('has no next showing where the guide forbids recording', async () => {
      await announce({ un: evening, deux: [['Le Film', 30, 32, '<rights recording="no"/>']] })
      await record('un', 'Le Film')
      await announce({ un: [['Édition spéciale', 8, 11]] })
      expect((await list())[0]?.next).toBeNull()
    })

    it('is reported once, after an hour, in one e-mail with the other drops of its profile and their next showings', async () => {
      await announce({ un: evening, deux: [['Le Film', 30, 32]], trois: [['Concert', 9, 10]] })
      await record('un', 'Le Film')
      await record('trois', 'Concert')
      await record('un', 'Débat')
      await announce({
        un: [
          ['Édition spéciale', 8, 10],
          ['Débat', 10, 11],
        ],
        trois: [['Gala', 9, 10]],
      })
      expect(await tell(0.98)).toEqual([])
      expect(await tell(1)).toEqual([['Le Film', 'Concert']])
      expect(await tell(2)).toHaveLength(1)
      expect(ordered[0]).toMatchObject({
        letter: 'recordingsDropped',
        accountId: scene.actor.account.id,
        dropped: {
          more: 0,
          programmes: [
            { channel: { fra: 'un' }, next: { channel: { fra: 'deux' }, startsAt: NOON + 30 * HOUR * 1000 } },
            { channel: { fra: 'trois' }, next: null },
          ],
        },
      })
    })

    it('is reported like a programme that the guide comes to forbid, once, with its next showing', async () => {
      const forbidden: Announced = ['Le Film', 8, 10, '<rights recording="no"/>']
      await announce({ un: evening, deux: [['Le Film', 30, 32]] })
      await record('un', 'Le Film')
      await announce({ un: [forbidden] })
      expect((await list())[0]?.state).toBe('withheld')
      expect(await tell(0.98)).toEqual([])
      expect(await tell(1)).toEqual([['Le Film']])
      expect(ordered[0]?.dropped?.programmes[0]?.next).toMatchObject({ channel: { fra: 'deux' } })
      await announce({ un: [['Gala', 8, 10]] })
      expect(await tell(4)).toHaveLength(1)
    })

    it('is not reported once it is over', async () => {
      await announce({ un: evening })
      await record('un', 'Le Film')
      scene.service.clock.set(NOON + 9.5 * HOUR * 1000)
      await announce({ un: [['Édition spéciale', 8, 11]] })
      expect((await list())[0]?.note).toBe('dropped')
      expect(await tell(10.6)).toEqual([])
    })

    it('is reported without a next showing that its profile records', async () => {
      await announce({ un: evening, deux: [['Le Film', 30, 32]] })
      await record('un', 'Le Film')
      await record('deux', 'Le Film')
      await announce({ un: [['Édition spéciale', 8, 11]] })
      await tell(1)
      expect(ordered[0]?.dropped?.programmes.map(({ next }) => next)).toEqual([null])
    })

    it('waits its own hour, even if its profile is told of other drops', async () => {
      await announce({ un: evening, trois: [['Concert', 9, 10]] })
      await record('un', 'Le Film')
      await record('trois', 'Concert')
      await announce({ un: [['Édition spéciale', 8, 11]] })
      scene.service.clock.set(NOON + 0.5 * HOUR * 1000)
      await announce({ trois: [['Gala', 9, 10]] })
      expect(await tell(1)).toEqual([['Le Film']])
      await announce({ trois: [['Concert', 9, 10]] })
      expect(await tell(1.5)).toEqual([['Le Film']])
      await announce({ trois: [['Gala', 9, 10]] })
      expect(await tell(2.5)).toEqual([['Le Film'], ['Concert']])
    })

    it('is reported to every viewer who still has the recording', async () => {
      await announce({ un: evening })
      await record('un', 'Le Film')
      const own = scene.actor
      scene.actor = await scene.make.actor({ packages: { television: {} } })
      const others = scene.actor.account.id
      await record('un', 'Le Film')
      scene.actor = await scene.make.actor({ packages: { television: {} } })
      const gone = await record('un', 'Le Film')
      await scene.service.call(removeRecording, { id: gone }, scene.actor.tokens)
      await announce({ un: [['Édition spéciale', 8, 11]] })
      await tell(1)
      expect(ordered.map((order) => 'accountId' in order && order.accountId)).toEqual([
        own.account.id,
        others,
      ])
    })

    it('is not reported if it comes back within the hour, and is reported again after another drop', async () => {
      await announce({ un: evening })
      await record('un', 'Le Film')
      const dropped: Announced[] = [['Édition spéciale', 8, 11]]
      await announce({ un: dropped })
      await announce({ un: evening })
      expect(await tell(2)).toEqual([])
      await announce({ un: dropped })
      expect(await tell(3)).toHaveLength(1)
      scene.service.clock.set(NOON + 4 * HOUR * 1000)
      await announce({ un: evening })
      await announce({ un: dropped })
      expect(await tell(5)).toHaveLength(2)
    })

    it('is reported sooner if it would begin soon', async () => {
      await announce({ un: [['Le Film', 1.5, 3]] })
      await record('un', 'Le Film')
      await announce({ un: [['Édition spéciale', 1.5, 3]] })
      expect(await tell(0.05)).toEqual([])
      expect(await tell(0.1)).toEqual([['Le Film']])
    })

    it.each([
      ['fra', 'Vos enregistrements programmés changent', '« Le Film », ', 'Prochaine diffusion : '],
      ['eng', 'Your scheduled recordings are changing', '“Le Film”, ', 'Next showing: '],
    ])('is told in the language of the account: %s', async (language, subject, title, next) => {
      const { db } = scene.service.context
      await db.update(accounts).set({ language }).where(eq(accounts.id, scene.actor.account.id))
      await announce({ un: evening, deux: [['Le Film', 30, 32]] })
      await record('un', 'Le Film')
      await announce({ un: [['Édition spéciale', 8, 11]] })
      await tell(1)
      const [order] = ordered
      const letter = writeEmail('recordingsDropped', {
        name: 'Ondine',
        first: '',
        language: order?.language ?? 'fra',
        provider: '',
        colors: { background: '', panel: '', text: '', quiet: '', accent: '', onAccent: '' },
        ...(order?.dropped && { dropped: order.dropped }),
      })
      expect(letter.subject).toBe(subject)
      expect(letter.text.replaceAll('\u00a0', ' ')).toContain(title)
      expect(letter.text.replaceAll('\u00a0', ' ')).toContain(next)
      expect(letter.text).toContain('deux')
    })
  })

  it('takes over the rating that a later guide corrects', async () => {
    await announce({ un: [['Le Film', 8, 10]] })
    await record('un', 'Le Film')
    const rating = '<rating system="CSA"><value>-16</value></rating>'
    await announce({ un: [['Le Film', 8, 10, rating]] })
    const [recording] = await list()
    expect(recording?.rating).toBe(5)
  })

  it('a guide forbids the recording of a programme', async () => {
    await announce({
      un: [
        ['Le Film', 8, 10, '<rights recording="no"/>'],
        ['Débat', 10, 11],
      ],
    })
    const { result } = await scene.service.call(
      epg,
      { start: NOW, offset: 0, hours: 24, channelIds: [ids.un ?? 0] },
      scene.actor.tokens,
    )
    const all = result[`chan_${ids.un ?? 0}`] ?? []
    expect(all.map(({ title, npvrEnabled }) => [title, npvrEnabled])).toEqual([
      ['Le Film', false],
      ['Débat', true],
    ])
    const wanted = { idEvent: all[0]?.id ?? 0, idChannel: ids.un ?? 0 }
    expect((await scene.service.call(createRecording, wanted, scene.actor.tokens)).error.code).toBe(-508)
  })

  describe('a guide that forbids the recording later', () => {
    const guide = (rights: string): Announced[] => [
      ['Le Film', 8, 10, rights],
      ['Débat', 10, 11, rights],
    ]
    const forbidding = guide('<rights recording="no"/>')
    const states = async () => (await list()).map(({ title, state }) => [title, state])
    const at = (hours: number) => scene.service.clock.set(NOON + hours * HOUR * 1000)
    async function tendAt(hours: number): Promise<void> {
      at(hours)
      await tendRecordings(parts(), scene.service.clock.now())
    }
    beforeEach(async () => {
      await announce({ un: guide('') })
      await record('un', 'Le Film')
      await record('un', 'Débat')
    })

    it('A4.2-04 withholds it, unless the programme has begun', async () => {
      at(9)
      await announce({ un: forbidding })
      expect(await states()).toEqual([
        ['Débat', 'withheld'],
        ['Le Film', 'recording'],
      ])
      expect(await planned()).toBe(HOUR * 1000)
    })

    it.each([
      ['before it', 7, 'planned'],
      ['while it runs', 10.5, 'recording'],
      ['after it', 11.05, 'recording'],
    ])('costs nobody a recording when it was wrong until %s', async (_when, hours, state) => {
      at(6)
      await announce({ un: forbidding })
      await tendAt(hours)
      expect((await states())[0]).toEqual(['Débat', 'withheld'])
      await announce({ un: guide('') })
      expect((await states())[0]).toEqual(['Débat', state])
    })

    it('A7.3-12 lets a viewer cancel it, and undo that', async () => {
      const [debate] = await list()
      await announce({ un: forbidding })
      const wanted = { id: debate?.id ?? 0 }
      const { result } = await scene.service.call(removeRecording, wanted, scene.actor.tokens)
      expect(result.outcome).toBe('cancelled')
      await scene.service.call(restoreRecording, wanted, scene.actor.tokens)
      expect((await states())[0]).toEqual(['Débat', 'withheld'])
    })

    it('deletes it a day after its end', async () => {
      await announce({ un: forbidding })
      await tendAt(11 + 24)
      expect((await states())[0]).toEqual(['Débat', 'withheld'])
      await tendAt(11.2 + 24)
      expect(await states()).toEqual([])
    })
  })

  describe('a request between an import and the following of the recordings', () => {
    /** Changes the guide like an import that is killed before the recordings follow the guide. */
    const replaceFilm = async (by: Partial<typeof programmes.$inferInsert>) =>
      await scene.service.context.db
        .update(programmes)
        .set(by)
        .where(eq(programmes.titles, { fra: 'Le Film' }))

    it('records the programme that has taken the place of a recorded one', async () => {
      await announce({ un: evening })
      const first = await record('un', 'Le Film')
      await replaceFilm({ titles: { fra: 'Gala' } })
      expect(await record('un', 'Gala')).not.toBe(first)
      expect(await placed()).toEqual([
        ['Gala', 8, 10, null],
        ['Le Film', 8, 10, 'dropped'],
      ])
    })

    it('of another viewer records the new programme too', async () => {
      await announce({ un: evening })
      await record('un', 'Le Film')
      await replaceFilm({ titles: { fra: 'Gala' } })
      scene.actor = await scene.make.actor({ packages: { television: {} } })
      await record('un', 'Gala')
      await followHourly(parts(), NOON)
      expect(await placed()).toEqual([['Gala', 8, 10, null]])
    })

    it('finds the recording of a programme that has moved', async () => {
      await announce({ un: evening })
      const first = await record('un', 'Le Film')
      const { db } = scene.service.context
      const [film] = await db
        .delete(programmes)
        .where(eq(programmes.titles, { fra: 'Le Film' }))
        .returning()
      const { id: _id, programmeKey: _key, ...fields } = film as typeof programmes.$inferSelect
      await db.insert(programmes).values({ ...fields, startsAt: fields.startsAt + HOUR * 500 })
      expect(await record('un', 'Le Film')).toBe(first)
      expect(await placed()).toEqual([['Le Film', 8.5, 10, null]])
    })
  })

  describe('a programme that the guide puts off after its recording has ended', () => {
    const match: Announced = ['Match', 8, 10]
    const playedLater: Announced = ['Match', 10.75, 12.75]

    it('is recorded at its new time when the viewer records it again', async () => {
      await announce({ un: [match] })
      const first = await record('un', 'Match')
      scene.service.clock.set(NOON + 10.2 * HOUR * 1000)
      await tendRecordings(parts(), scene.service.clock.now())
      await announce({ un: [['Attente', 8, 10.75], playedLater] })
      const second = await record('un', 'Match')
      expect(second).not.toBe(first)
      expect((await list()).map(({ id, idEvent }) => [id, idEvent === null])).toEqual([
        [second, false],
        [first, true],
      ])
      expect(await placed()).toEqual([
        ['Match', 10.75, 12.75, null],
        ['Match', 8, 10, 'dropped'],
      ])
      expect(await record('un', 'Match')).toBe(second)
    })
  })

  it('keeps the parts of a split programme whose failed recording is tried again', async () => {
    await announce({ un: [['Le Film', 8, 10]] })
    const film = await record('un', 'Le Film')
    await announce({
      un: [
        ['Le Film', 8, 9],
        ['Flash', 9, 9.25],
        ['Le Film', 9.25, 10.25],
      ],
    })
    scene.service.clock.set(NOON + 9.5 * HOUR * 1000)
    const { db } = scene.service.context
    await db.update(recordedProgrammes).set({ failed: true, settledAt: NOON })
    scene.service.clock.set(NOON + 7 * HOUR * 1000)
    expect(await record('un', 'Le Film')).toBe(film)
    expect(await placed()).toEqual([['Le Film', 8, 10.25, null]])
  })

  it('a guide that cannot be read moves nothing', async () => {
    await announce({ un: evening })
    await record('un', 'Le Film')
    const path = join(folder, 'broken.xml')
    await writeFile(path, guideOf(show('un', 1, 2, '<title>Autre</title>')).slice(0, -20))
    await expect(runCommand(scene.service, 'guide import', [path], { name: 'guide' })).rejects.toThrow()
    expect(await placed()).toEqual([['Le Film', 8, 10, null]])
  })

  it('catches up with a change whose import was killed before the recordings followed', async () => {
    await announce({ un: evening })
    await record('un', 'Le Film')
    const { db } = scene.service.context
    const moved = { startsAt: NOON + 8.5 * HOUR * 1000, endsAt: NOON + 10.5 * HOUR * 1000 }
    await db.delete(programmes).where(eq(programmes.startsAt, NOON + 10 * HOUR * 1000))
    await db
      .update(programmes)
      .set(moved)
      .where(eq(programmes.startsAt, NOON + 8 * HOUR * 1000))
    expect(await placed()).toEqual([['Le Film', 8, 10, null]])
    await followHourly(parts(), NOON)
    expect(await placed()).toEqual([['Le Film', 8.5, 10.5, null]])
  })

  it('takes no programme from a guide that an import is replacing', async () => {
    await announce({ un: [['Le Film', 8, 10]] })
    await record('un', 'Le Film')
    const { db } = scene.service.context
    const changed = { endsAt: NOON + 10.5 * HOUR * 1000, descriptions: { fra: 'Version longue' } }
    await db.update(programmes).set(changed)
    let following: Promise<void> | undefined
    await db.transaction(async (tx) => {
      await tx.execute(sql`select from channels where id = ${ids.un} for update`)
      await tx.execute(sql`select from recorded_programmes for update`)
      // The new guide has another programme in the place of the film, with the film's id.
      await tx.update(programmes).set({ titles: { fra: 'Gala' }, startsAt: NOON + 9 * HOUR * 1000 })
      following = followHourly(parts(), NOON)
      if (kind === 'postgresql') await untilWaiting(db, 'update')
    })
    await following
    expect(await placed()).toEqual([['Le Film', 8, 10, 'dropped']])
  })

  it('stays with its programme until it is over, and no longer', async () => {
    await announce({ un: evening })
    await record('un', 'Le Film')
    scene.service.clock.set(NOON + 9 * HOUR * 1000)
    await announce({
      un: [
        ['Journal', 7.5, 8],
        ['Le Film', 8, 10.5],
        ['Débat', 10.5, 11],
      ],
    })
    expect(await placed()).toEqual([['Le Film', 8, 10.5, null]])
    const over = NOON + 10.75 * HOUR * 1000
    scene.service.clock.set(over)
    await tendRecordings(parts(), over)
    expect((await list())[0]?.state).toBe('failed')
    await announce({ un: [['Le Film', 12, 14]] })
    await followHourly(parts(), over)
    expect(await placed()).toEqual([['Le Film', 8, 10.5, 'incomplete']])
  })

  it('goes on with a programme that the guide lengthens while its result is being stored', async () => {
    await announce({ un: evening })
    await record('un', 'Le Film')
    const over = NOON + 10.25 * HOUR * 1000
    scene.service.clock.set(over)
    const lengthen = async () => await announce({ un: [['Le Film', 8, 11]] })
    await tendRecordings({ ...parts(), onSettling: lengthen }, over)
    expect(await placed()).toEqual([['Le Film', 8, 11, null]])
    expect((await list())[0]?.state).toBe('recording')
    scene.service.clock.set(over + HOUR * 1000)
    await tendRecordings(parts(), over + HOUR * 1000)
    expect((await list())[0]?.state).toBe('failed')
  })

  it('each recording covers its programme after a week of changes on several channels', async () => {
    const week = new GuideWeek(['un', 'deux', 'trois'], { perDay: 6, slotHours: 2 })
    const announceWeek = async (...names: readonly string[]) =>
      await announce(Object.fromEntries(names.map((name) => [name, week.announced(name)])))
    await announceWeek(...week.channels.keys())
    const recorded: { id: number; programme: WeekProgramme }[] = []
    for (const [name, programmes] of week.channels) {
      const counts = new Map<string, number>()
      for (const programme of programmes) {
        const place = counts.get(programme.title) ?? 0
        counts.set(programme.title, place + 1)
        recorded.push({ id: await record(name, programme.title, place), programme })
      }
    }
    // The first change drops an episode.
    const [, , , episode] = week.channels.get('un') ?? []
    if (episode) episode.isDropped = true
    await announceWeek('un')
    for (let hour = 1; hour <= 48; hour++) {
      scene.service.clock.set(NOON + hour * HOUR * 1000)
      const changed = week.change(hour)
      if (changed === undefined) continue
      await announceWeek(changed)
      await tendRecordings(parts(), scene.service.clock.now())
    }
    const all = new Map((await list()).map((recording) => [recording.id, recording]))
    for (const { id, programme } of recorded) {
      const recording = all.get(id)
      if (programme.isDropped) {
        expect(recording?.note).toBe('dropped')
        continue
      }
      const place = [recording?.startutc, recording?.endutc].map((time) => ((time ?? 0) - NOW) / HOUR)
      expect(place[0]).toBeCloseTo(programme.from, 3)
      expect(place[1]).toBeCloseTo(programme.from + programme.length, 3)
    }
  }, 120_000)
})
