import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Heard, TOPICS } from '../src/database/changes.ts'
import { assets } from '../src/features/inventory/titles/titles.table.ts'
import { profiles } from '../src/features/people/profiles/profiles.table.ts'
import { storeSeekPositions } from '../src/features/viewing/playback/seek-positions.ts'
import { type Actor, buildersOf } from './builders.ts'
import { DATABASES, NOON, startTestService, type TestService } from './service.ts'

describe.each(DATABASES)('change notices, on a database of kind %s', (kind) => {
  let service: TestService
  let actor: Actor
  let film: { id: number }
  const heard: [topic: string, ids: Parameters<Heard>[0]][] = []

  beforeAll(async () => {
    service = await startTestService(kind)
    const build = buildersOf(service.context)
    actor = await build.actor()
    film = await build.asset('La Houle')
    await service.context.connection.changes.settled()
    for (const topic of TOPICS) {
      service.context.connection.changes.on(topic, (ids) => heard.push([topic, ids]))
    }
  })
  afterAll(async () => await service.remove())

  async function told(change: () => Promise<unknown>) {
    heard.length = 0
    await change()
    await service.context.connection.changes.settled()
    return [...heard]
  }

  it('announce a title and its search documents, once they are committed', async () => {
    const { db } = service.context
    const topics = (
      await told(() => db.update(assets).set({ year: 2026 }).where(eq(assets.id, film.id)))
    ).map(([topic]) => topic)
    // Also the topic of search documents, because the title's document changes too.
    expect(new Set(topics)).toEqual(new Set(['catalogue', 'searchDocuments']))
    const undone = db
      .transaction(async (tx) => {
        await tx.update(assets).set({ year: 2027 })
        throw new Error('undone')
      })
      .catch(() => undefined)
    expect(await told(() => undone)).toEqual([])
  })

  it('announce a storefront, and a document that an operator changes', async () => {
    const { storefronts, configurations } = service.context
    expect(await told(() => storefronts.create({ apiKey: 'rive', name: 'Rive' }))).toEqual([
      ['operated', null],
    ])
    const authorship = { author: 'Dominique', reason: '' }
    const id = storefronts.of('rive')?.id ?? 0
    expect(await told(() => configurations.document(id).replace(0, {}, authorship))).toEqual([
      ['operated', null],
    ])
  })

  it('announce an account by its id', async () => {
    const { db } = service.context
    const change = () => db.update(profiles).set({ kid: true }).where(eq(profiles.id, actor.profileId))
    expect(await told(change)).toEqual([['account', [actor.account.id]]])
  })

  it('announce the profiles whose positions were stored, in one notice', async () => {
    const { db } = service.context
    const position = (seconds: number) => ({
      profileId: actor.profileId,
      assetId: film.id,
      seconds,
      updatedAt: NOON,
    })
    expect(await told(() => storeSeekPositions(db, [position(12)]))).toEqual([
      ['positions', [actor.profileId]],
    ])
    expect(await told(() => storeSeekPositions(db, [position(30)]))).toEqual([
      ['positions', [actor.profileId]],
    ])
  })
})
