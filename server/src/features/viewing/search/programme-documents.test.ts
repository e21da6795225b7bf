import { search } from '@ondine/contract/search'
import { inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { indexCounts } from '../../../../test/index-counts.ts'
import { DATABASES, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { rowsOf } from '../../../database/rows.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import type { ProgrammeCredit } from '../../television/guide-import/programme-details.ts'

/** Connections to PostgreSQL; the embedded database has one. */
const CONNECTIONS = 3
const MINUTE = 60_000
const TITLES = 5000
/** Index by which documents of programmes are looked up. */
const BY_NAME = 'search_documents_kind_target_id_programme_key_language_index'

const PAGE = { count: 20, itemsPerPage: 20, page: 1 }
const ALL_IDS = sql`select id from search_documents order by id`

describe.each(DATABASES)('documents of programmes, on a database of kind %s', (kind) => {
  let service: TestService
  let build: ReturnType<typeof buildersOf>

  beforeAll(async () => {
    service = await startTestService(kind, { DATABASE_POOL_SIZE: CONNECTIONS })
    build = buildersOf(service.context)
  })
  afterAll(async () => await service.remove())

  const lookups = async () =>
    (await indexCounts(service.context.db, kind === 'embedded' ? 1 : CONNECTIONS)).get(BY_NAME)
  const documents = async () =>
    await rowsOf<{ folded: string; language: string }>(
      service.context.db,
      sql`select folded, language from search_documents where kind = 'programme' order by folded, language`,
    )

  describe('V4-10 find a programme by its people', () => {
    const NEWS = { fra: 'Le grand entretien', eng: 'The long talk' }
    let channelId: number

    beforeAll(async () => {
      channelId = (await build.channel('Entretiens', { kind: 'sequence', titles: ['nothing'] })).id
    })

    async function announce(hour: number, credits: ProgrammeCredit[], titles = NEWS): Promise<number> {
      const startsAt = NOON + hour * 60 * MINUTE
      const [row] = await service.context.db
        .insert(programmes)
        .values({
          channelId,
          startsAt,
          endsAt: startsAt + 60 * MINUTE,
          titles,
          universalId: `talk ${hour}`,
          details: { credits },
        })
        .returning({ id: programmes.id })
      return row?.id ?? 0
    }

    async function found(term: string, searchBy?: 'AD_LIACTORS'): Promise<string[]> {
      const { result } = await service.call(search, { term, type: 'all', searchBy, ...PAGE })
      return result.items.flatMap(({ item }) => (item.type === 'programme' ? [item.payload.title] : []))
    }

    it('by everyone who takes part, in any role, with or without accents', async () => {
      await announce(1, [
        { role: 'presenter', name: 'Inès Kerouan' },
        { role: 'guest', name: 'Tomasz Wierzba' },
      ])
      for (const term of ['Inès Kerouan', 'kerouan', 'tomasz wierzba', 'WIERZBA'])
        expect([term, await found(term)]).toEqual([term, [NEWS.fra]])
      expect(await found('Tomasz Inconnu')).toEqual([])
    })

    it('also by people of a later showing of the same title', async () => {
      await announce(30, [{ role: 'guest', name: 'Oriane Falguière' }])
      expect(await found('falguiere')).toEqual([NEWS.fra])
      // The document still has the people of earlier showings.
      expect(await found('wierzba')).toEqual([NEWS.fra])
      // A showing with the same people does not change the document.
      const before = await rowsOf(service.context.db, ALL_IDS)
      await announce(31, [{ role: 'guest', name: 'Oriane Falguière' }])
      expect(await rowsOf(service.context.db, ALL_IDS)).toEqual(before)
    })

    it('by an actor in the metadata of actors, and not in another role', async () => {
      const film = { fra: 'La digue', eng: 'The dyke' }
      await announce(40, [{ role: 'actor', name: 'Maud Sellier', as: 'Anne' }], film)
      expect(await found('Maud Sellier', 'AD_LIACTORS')).toEqual([film.fra])
      expect(await found('Oriane Falguière', 'AD_LIACTORS')).toEqual([])
    })

    it('no longer after its showings are deleted', async () => {
      const id = await announce(50, [{ role: 'director', name: 'Basile Ortovent' }], {
        fra: 'Seul',
        eng: 'Alone',
      })
      expect(await found('ortovent')).toEqual(['Seul'])
      await service.context.db.delete(programmes).where(inArray(programmes.id, [id]))
      expect(await found('ortovent')).toEqual([])
      await service.context.db.delete(programmes)
    })
  })

  // An import changes the titles of a guide one by one, every night and for every channel. The planner has no
  // statistics about rows that were just imported.
  it('are looked up by name when titles change, however many there are', async () => {
    const { db } = service.context
    const channel = await build.channel('Announcing', {
      kind: 'sequence',
      titles: ['nothing'],
    })
    const rows = await db
      .insert(programmes)
      .values(
        Array.from({ length: TITLES }, (_, index) => ({
          channelId: channel.id,
          startsAt: NOON + index * MINUTE,
          endsAt: NOON + (index + 1) * MINUTE,
          titles: { fra: `Titre ${String(index).padStart(4, '0')}` },
          universalId: `announced ${index}`,
        })),
      )
      .returning({ id: programmes.id })
    const ids = rows.map(({ id }) => id)
    expect(await documents()).toHaveLength(2 * TITLES)

    const before = await lookups()
    await db
      .update(programmes)
      .set({ titles: { fra: 'Autre' } })
      .where(inArray(programmes.id, ids.slice(0, 10)))
    await db.delete(programmes).where(inArray(programmes.id, ids.slice(10, 20)))
    const after = await lookups()
    // The update looks up the new title and ten removed titles. The deletion looks up ten removed titles. Each
    // title is looked up in two languages, and sometimes more than once.
    expect((after?.entries ?? Infinity) - (before?.entries ?? 0)).toBeLessThan(200)

    const left = await documents()
    expect(left).toHaveLength(2 * (TITLES - 20 + 1))
    expect(left.slice(0, 4)).toEqual([
      { folded: 'autre', language: 'eng' },
      { folded: 'autre', language: 'fra' },
      { folded: 'titre 0020', language: 'eng' },
      { folded: 'titre 0020', language: 'fra' },
    ])
  })
})

describe.each(DATABASES)(
  'a first guide in an installation of library channels, on a database of kind %s',
  (kind) => {
    let service: TestService

    beforeAll(async () => {
      service = await startTestService(kind, { DATABASE_POOL_SIZE: CONNECTIONS })
    })
    afterAll(async () => await service.remove())

    // The statistics say that every programme has an asset. So the planner expects that it costs little to read
    // all programmes without an asset for each title.
    it('is looked up title by title when programmes are added, changed and deleted', async () => {
      const { db } = service.context
      const build = buildersOf(service.context)
      const channel = await build.channel('Library', { kind: 'sequence', titles: ['nothing'] })
      const film = await build.asset('Shown')
      const entries = async () => {
        const counts = await indexCounts(db, kind === 'embedded' ? 1 : CONNECTIONS)
        return [...counts].reduce(
          (sum, [name, index]) => (name.startsWith('programmes_') ? sum + index.entries : sum),
          0,
        )
      }
      const announced = (from: number, count: number, assetId: number | null) =>
        Array.from({ length: count }, (_, index) => ({
          channelId: channel.id,
          startsAt: NOON + (from + index) * MINUTE,
          endsAt: NOON + (from + index + 1) * MINUTE,
          titles: { fra: `Soirée ${from + index}` },
          universalId: `evening ${from + index}`,
          assetId,
        }))
      await db.insert(programmes).values(announced(0, 1000, film.id))
      await db.execute(sql`analyze programmes`)

      const start = await entries()
      const rows = await db
        .insert(programmes)
        .values(announced(1000, 1000, null))
        .returning({ id: programmes.id })
      const added = await entries()
      expect(added - start).toBeLessThan(10_000)
      const written = await rowsOf(db, sql`select id from search_documents where kind = 'programme'`)
      expect(written).toHaveLength(2 * 1000)

      const ids = rows.map(({ id }) => id)
      await db
        .update(programmes)
        .set({ titles: { fra: 'Autre' } })
        .where(inArray(programmes.id, ids.slice(0, 50)))
      await db.delete(programmes).where(inArray(programmes.id, ids.slice(50, 100)))
      expect((await entries()) - added).toBeLessThan(10_000)
      const left = await rowsOf(db, sql`select id from search_documents where kind = 'programme'`)
      expect(left).toHaveLength(2 * (1000 - 100 + 1))
    })
  },
)
