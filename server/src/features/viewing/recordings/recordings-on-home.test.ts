import { homeContent } from '@ondine/contract/catalogue'
import { addFavoriteAsset } from '@ondine/contract/favourites'
import { heartbeat } from '@ondine/contract/playback'
import type { Recording } from '@ondine/contract/recordings'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { recordingScene } from '../../../../test/recording-scene.ts'
import { DATABASES, NOON } from '../../../../test/service.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'
import { grants } from '../../rights/entitlements/entitlements.table.ts'
import { storeSeekPositions } from '../playback/seek-positions.ts'
import { storePlayback } from './played-recordings.service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe.each(DATABASES)('recordings on home, on a database of kind %s', (kind) => {
  const { scene, ids, programme, record, read, remove, restore, change, list, play, at } =
    recordingScene(kind)

  /** Makes recordings of programmes with this title. They are recorded two days after noon. */
  async function recorded(count = 1, title = 'La Houle', actor: Actor = scene.actor): Promise<Recording[]> {
    at(NOON)
    const made: Recording[] = []
    for (let place = 1; place <= count; place += 1)
      made.push((await record(await programme(title, place), actor)).result)
    at(NOON + 48 * HOUR)
    return made
  }

  /** Reports that a profile has watched `percent` of a recorded programme, now. */
  async function watch({ id, startutc, endutc }: Recording, percent: number): Promise<void> {
    const now = scene.service.clock.now()
    const watchedTo = startutc * 1000 + ((endutc - startutc) * 1000 * percent) / 100
    await storePlayback(scene.service.context.db, [
      { recordingId: id, watchedTo, updatedAt: now, playingUntil: now },
    ])
    scene.service.clock.advance(MINUTE)
  }

  /** Returns the items of a rail of home: recordings by their id, titles by their name. */
  async function rail(source: 'continue' | 'favorites', actor?: Actor): Promise<(number | string)[]> {
    await scene.service.context.connection.changes.settled()
    const { tokens } = actor ?? scene.actor
    const { result } = await scene.service.call(homeContent, {}, tokens)
    return (result.find(({ kind: each }) => each === source)?.items ?? []).map((item) => {
      if (item.type === 'recording') return item.payload.id
      return item.type === 'asset' ? item.payload.title : ''
    })
  }

  it('V4-49 are in Continue watching among the titles, the last watched first', async () => {
    const [first, second] = await recorded(2)
    const film = (await scene.make.asset('Sillage')).id
    await watch(first!, 50)
    const { profileId } = scene.actor
    await storeSeekPositions(scene.service.context.db, [
      { profileId, assetId: film, seconds: 30, updatedAt: scene.service.clock.now() },
    ])
    scene.service.clock.advance(MINUTE)
    await watch(second!, 20)
    expect(await rail('continue')).toEqual([second!.id, 'Sillage', first!.id])
    await watch(first!, 60)
    expect(await rail('continue')).toEqual([first!.id, second!.id, 'Sillage'])
    expect(await rail('continue', await scene.make.actor({ packages: { television: {} } }))).toEqual([])
  })

  it('V4-49 are in Continue watching while they are played and recorded, at the position of the player', async () => {
    at(NOON)
    const wanted = await programme()
    const { id } = (await record(wanted)).result
    expect(await rail('continue')).toEqual([])
    at(wanted.startutc * 1000 + 10 * MINUTE)
    const { session } = (await play(id)).result
    await scene.service.call(heartbeat, { session, position: 360, event: 'progress' })
    expect(await read(id)).toMatchObject({ state: 'recordingPlaying', isBegun: true })
    expect(await rail('continue')).toEqual([id])
  })

  it.each([
    ['the margin', -1, false],
    ['less than one percent', 0.9, false],
    ['one percent', 1, true],
    ['95 percent', 95, true],
    ['more', 95.1, false],
  ])('V4-49 are in Continue watching by their position: %s', async (_name, percent, isBegun) => {
    const [recording] = await recorded()
    await watch(recording!, percent)
    expect(await read(recording!.id)).toMatchObject({ isBegun, watchedAt: (NOON + 48 * HOUR) / 1000 })
    expect(await rail('continue')).toEqual(isBegun ? [recording!.id] : [])
  })

  it('V4-49 leave Continue watching, but keep their position, until that is undone or they are watched again', async () => {
    const [recording] = await recorded()
    const { id } = recording!
    await watch(recording!, 50)
    const { position } = await read(id)
    expect((await change(id, { isBegun: false })).result).toMatchObject({ id, isBegun: false, position })
    expect(await rail('continue')).toEqual([])
    expect((await change(id, { isBegun: true })).result.isBegun).toBe(true)
    expect(await rail('continue')).toEqual([id])
    await change(id, { isBegun: false })
    scene.service.clock.advance(MINUTE)
    await watch(recording!, 51)
    expect(await rail('continue')).toEqual([id])
  })

  it('V4-47 are among the favourites after the titles, the last added first', async () => {
    const [first, second] = await recorded(2)
    expect((await change(first!.id, { isFavorite: true })).result).toMatchObject({
      id: first!.id,
      isFavorite: true,
      isBegun: false,
    })
    scene.service.clock.advance(MINUTE)
    await change(second!.id, { isFavorite: true })
    // A favourite that is added again keeps its place.
    await change(first!.id, { isFavorite: true })
    const film = (await scene.make.asset('Large')).id
    await scene.service.call(addFavoriteAsset, { idAsset: film }, scene.actor.tokens)
    expect(await rail('favorites')).toEqual(['Large', second!.id, first!.id])
    expect((await list()).records.map(({ isFavorite }) => isFavorite)).toEqual([true, true])
    await change(second!.id, { isFavorite: false })
    expect(await rail('favorites')).toEqual(['Large', first!.id])
  })

  it('V4-47 are among the favourites only if they can be played', async () => {
    at(NOON)
    const wanted = await programme()
    const { id } = (await record(wanted)).result
    await change(id, { isFavorite: true })
    expect(await rail('favorites')).toEqual([])
    at(wanted.startutc * 1000)
    expect(await rail('favorites')).toEqual([id])
    const { db } = scene.service.context
    const shared = eq(recordedProgrammes.programmeId, wanted.id)
    for (const [changed, shown] of [
      [{ withheldAt: NOON }, []],
      [{ withheldAt: null, failed: true }, []],
      [{ failed: false }, [id]],
    ] as const) {
      await db.update(recordedProgrammes).set(changed).where(shared)
      expect(await rail('favorites')).toEqual(shown)
    }
  })

  it('V4-47 V4-49 leave home when they are deleted, and come back with the undo', async () => {
    const [recording] = await recorded()
    const { id } = recording!
    await watch(recording!, 50)
    await change(id, { isFavorite: true })
    await remove(id)
    expect([await rail('continue'), await rail('favorites')]).toEqual([[], []])
    expect((await change(id, { isFavorite: false })).error.code).toBe(-404)
    await restore(id)
    expect([await rail('continue'), await rail('favorites')]).toEqual([[id], [id]])
  })

  it('spec 53: leave home without their package', async () => {
    const [recording] = await recorded()
    await watch(recording!, 50)
    const { db } = scene.service.context
    await db.update(grants).set({ endedAt: NOON }).where(eq(grants.accountId, scene.actor.account.id))
    expect(await rail('continue')).toEqual([])
    expect((await change(recording!.id, { isBegun: false })).error.code).toBe(-404)
  })

  it('A6-05 are not on the home of a child above its level', async () => {
    const child = await scene.make.actor({
      packages: { television: {} },
      profile: { kid: true, maximumMoralityLevel: 5 },
    })
    const [strong] = await recorded(1, 'Encre', child)
    const [mild] = await recorded(1, 'La Houle', child)
    for (const recording of [strong!, mild!]) {
      await watch(recording, 50)
      await change(recording.id, { isFavorite: true }, child)
    }
    expect(await rail('continue', child)).toEqual([mild!.id, strong!.id])
    const { db } = scene.service.context
    await db.update(profiles).set({ maximumMoralityLevel: 2 }).where(eq(profiles.id, child.profileId))
    expect(await rail('continue', child)).toEqual([mild!.id])
    expect(await rail('favorites', child)).toEqual([mild!.id])
    expect((await change(strong!.id, { isFavorite: false }, child)).error.code).toBe(-404)
  })

  it('of other profiles and unknown ones cannot be changed', async () => {
    const [recording] = await recorded()
    const other = await scene.make.actor({ packages: { television: {} } })
    expect((await change(recording!.id, { isFavorite: true }, other)).error.code).toBe(-404)
    expect((await change(999_999, { isFavorite: true })).error.code).toBe(-404)
    const none = await change(recording!.id, {})
    expect([none.status, none.error.code]).toEqual([400, -400])
    expect(await read(recording!.id)).toMatchObject({ isFavorite: false, idChannel: ids.library })
  })

  it('V8-03 do not prevent home from being shown if they cannot be read', async () => {
    const [recording] = await recorded()
    await watch(recording!, 50)
    const film = (await scene.make.asset('Abri')).id
    await scene.service.call(addFavoriteAsset, { idAsset: film }, scene.actor.tokens)
    const failing = vi
      .spyOn(scene.service.context.catalogue, 'recordingsOf')
      .mockRejectedValue(new Error('unavailable'))
    expect([await rail('continue'), await rail('favorites')]).toEqual([[], ['Abri']])
    failing.mockRestore()
    expect(await rail('continue')).toEqual([recording!.id])
  })

  it('cost a profile without such recordings no query', async () => {
    await recorded()
    await rail('continue')
    const { db } = scene.service.context
    const asked = vi.spyOn(db, 'select')
    expect(await rail('continue')).toEqual([])
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
  })

  it('are exported with the account, with the time at which they became favourites', async () => {
    const [recording] = await recorded()
    await change(recording!.id, { isFavorite: true })
    const exported = await runCommand(scene.service, 'accounts export', [scene.actor.account.email ?? ''])
    expect(JSON.parse(exported)).toMatchObject({
      recordings: [
        { id: recording!.id, favouriteAt: new Date(NOON + 48 * HOUR).toISOString(), unlistedAt: null },
      ],
    })
  })
})
