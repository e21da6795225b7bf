import * as calls from '@ondine/contract/recordings'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import {
  COPY_PLACES,
  COPY_TIMEOUTS,
  copiesScene,
  HOUR,
  MINUTE,
  SECOND,
  shared,
} from '../../../../test/copies-scene.ts'
import { sweepMedia } from '../../content/library/sweep-media.ts'
import { scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { trackSets } from '../../inventory/titles/titles.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { createChannelAir } from '../../streams/on-air/on-air.service.ts'
import { trimEntries } from '../../television/schedule/schedule.repository.ts'
import { pinAgain, replaceCopies } from './recording-copies.repository.ts'
import { schedule } from './recordings.service.ts'

vi.setConfig(COPY_TIMEOUTS)

describe.each(COPY_PLACES)(
  'copies of recordings that are no longer needed, on a database of kind %s with media in a %s',
  (kind, store) => {
    const {
      scene,
      db,
      at,
      record,
      recorded,
      recordedByTwo,
      recordedInPart,
      play,
      remove,
      end,
      make,
      meddled,
      setsOf,
      filesOf,
      unpinnedAt,
      get,
      manifests,
      tend,
    } = copiesScene(kind, { store })
    /** Runs the job while the store cannot remove media. */
    async function tendWithoutStore(): Promise<void> {
      const { segments } = scene.service.context
      const discard = async (): Promise<void> => {
        throw new Error('the store is away')
      }
      await expect(tend({ segments: { ...segments, discard } })).rejects.toThrow('the store is away')
    }

    it('are deleted with their recording after the time for undoing it, and only they', async () => {
      const { wanted, id, other, theirs } = await recordedByTwo()
      await make()
      const [sets, kept] = [await setsOf(id), await setsOf(theirs)]
      await remove(id)
      await tend()
      expect(
        (await Promise.all(sets.map(async ({ document }) => await filesOf(document)))).every(Boolean),
      ).toBe(true)
      await end(wanted, 3 * MINUTE)
      await tend()
      for (const { document } of sets) expect(await filesOf(document)).toBe(0)
      for (const { id: set } of sets) expect(await db().$count(trackSets, eq(trackSets.id, set))).toBe(0)
      for (const { document } of kept) expect(await filesOf(document)).toBeGreaterThan(0)
      expect((await play(theirs, other)).status).toBe(200)
    })

    it('are deleted with what was copied if the viewer deletes the recording while it is copied', async () => {
      const { wanted, id } = await recorded()
      const { segments, names } = meddled(async (written) => {
        if (written === 7) await remove(id)
      })
      expect(await make({ segments })).toBe(0)
      expect(names.length).toBeLessThan(30)
      const sets = await setsOf(id)
      expect(sets).not.toEqual([])
      await end(wanted, 3 * MINUTE)
      await tend()
      for (const { id: set, document } of sets) {
        expect(await db().$count(trackSets, eq(trackSets.id, set))).toBe(0)
        expect(await filesOf(document)).toBe(0)
      }
    })

    it('leave nothing in the store if it fails while they are deleted', async () => {
      const { wanted, id } = await recorded()
      await make()
      const sets = await setsOf(id)
      await remove(id)
      await end(wanted, 3 * MINUTE)
      await tendWithoutStore()
      at(scene.service.clock.now() + 3 * MINUTE)
      await tend()
      // The rows of the first TrackSet are deleted, so only the store has recorded that the media must be removed.
      await sweepMedia(scene.service.context, Date.now() + 72 * HOUR)
      for (const { document } of sets) expect(await filesOf(document)).toBe(0)
      const held = await scene.service.context.segments.entries.quarantined()
      expect(
        shared(
          held,
          sets.map((set) => set.id),
        ),
      ).toEqual([])
    })

    it('free the media of the channel even if deleted copies cannot be removed', async () => {
      const { wanted, id, theirs } = await recordedByTwo()
      expect(await make()).toBe(2)
      await remove(id)
      await end(wanted, 13 * HOUR)
      await tendWithoutStore()
      expect(await unpinnedAt(wanted)).toBe(scene.service.clock.now())
      at(scene.service.clock.now() + 3 * MINUTE)
      await tend()
      expect(await setsOf(theirs)).toHaveLength(3)
    })

    it('stay for the sessions that play them if the recording is recorded again after a stop', async () => {
      const { wanted, id } = await recordedInPart()
      expect(await make()).toBe(1)
      const old = await setsOf(id)
      const base = (await play(id)).result.url.replace('main.m3u8', '')
      const keyOf = async () => (await get(`${base}key/${old[1]?.document.encryption?.keyId}`)).statusCode
      expect(await record(wanted)).toBe(id)
      await end(wanted, 10 * MINUTE)
      await tend()
      expect(await make()).toBe(1)
      expect(await setsOf(id)).toHaveLength(3)
      await tend()
      for (const { document } of old) expect(await filesOf(document)).toBeGreaterThan(0)
      expect(await keyOf()).toBe(200)
      at(scene.service.clock.now() + 13 * HOUR)
      await tend()
      for (const { document } of old) expect(await filesOf(document)).toBe(0)
      expect((await play(id)).status).toBe(200)
    })

    it('stay if the media of the channel is removed while the owner records again what was stopped', async () => {
      const { wanted, id } = await recordedInPart()
      expect(await make()).toBe(1)
      const before = await setsOf(id)
      await tend()
      at(scene.service.clock.now() + 13 * HOUR)
      await tend()
      const now = scene.service.clock.now()
      expect(await unpinnedAt(wanted)).toBe(now)
      const { connection, viewers, log, settings, configurations } = scene.service.context
      const { account, profileId } = scene.actor
      const profile = { id: profileId, kid: false, maximumMoralityLevel: 6 }
      const viewer = await viewers.of({ account: { id: account.id }, profile }, now)
      const air = createChannelAir(db(), createTrackSetStore(db()), connection.changes)
      let looks = 0
      // Removes the media after the request has found it.
      const piecesIn: typeof air.piecesIn = async (channelId, from, to) => {
        const pieces = await air.piecesIn(channelId, from, to)
        if (looks++ === 0) await trimEntries(db(), wanted.endutc * SECOND, 1000)
        return pieces
      }
      const parts = { db: db(), log, settings, configurations, air: { ...air, piecesIn } }
      const request = { idEvent: wanted.id, idChannel: wanted.id_channel }
      const again = schedule(parts, viewer, { accountId: account.id, profileId }, request, now)
      await expect(again).rejects.toThrow(expect.objectContaining({ error: 'noMediaFound' }))
      expect(looks).toBeGreaterThan(0)
      expect(await setsOf(id)).toEqual(before)
      expect((await play(id)).status).toBe(200)
    })

    it('free the media of the channel, and play on without it', async () => {
      const { wanted, id } = await recorded()
      await make()
      const { shown } = await manifests(id)
      await tend()
      expect(await unpinnedAt(wanted)).toBeNull()
      at(scene.service.clock.now() + 13 * HOUR)
      await tend()
      expect(await unpinnedAt(wanted)).toBe(scene.service.clock.now())
      const entry = eq(scheduleEntries.startsAt, wanted.startutc * SECOND)
      await trimEntries(db(), wanted.endutc * SECOND, 1000)
      expect(await db().$count(scheduleEntries, entry)).toBe(0)
      expect((await manifests(id)).shown).toEqual(shown)
      // The channel's media is removed, so another viewer cannot record. The owner's request changes nothing.
      const late = await scene.make.actor({ packages: { television: {} } })
      const request = { idEvent: wanted.id, idChannel: wanted.id_channel }
      expect((await scene.service.call(calls.createRecording, request, late.tokens)).error.code).toBe(-1602)
      expect(await record(wanted)).toBe(id)
      // The sweep of films does not remove the copies.
      await sweepMedia(scene.service.context)
      at(scene.service.clock.now() + 26 * HOUR)
      await sweepMedia(scene.service.context)
      expect((await manifests(id)).shown).toEqual(shown)
    })

    // The embedded database runs one transaction at a time, so only PostgreSQL can have this race.
    if (kind === 'postgresql')
      it('keep the media of the channel while the owner records again what was stopped', async () => {
        const { wanted, id } = await recordedInPart()
        expect(await make()).toBe(1)
        at(scene.service.clock.now() + 13 * HOUR)
        const ofProgramme = eq(recordedProgrammes.programmeId, wanted.id)
        const [pinned] = await db().select().from(recordedProgrammes).where(ofProgramme)
        await db().transaction(async (tx) => {
          await pinAgain(tx, pinned?.id ?? 0)
          await replaceCopies(tx, { recordingId: id }, 0)
          await tend()
        })
        expect(await unpinnedAt(wanted)).toBeNull()
        await remove(id)
      })
  },
)
