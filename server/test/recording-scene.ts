import { epg } from '@ondine/contract/channels'
import type { Programme } from '@ondine/contract/entities'
import * as calls from '@ondine/contract/recordings'
import type { Settings } from '../src/env.ts'
import { createTrackSetStore } from '../src/features/inventory/track-sets/track-sets.service.ts'
import { ensurePackage } from '../src/features/rights/entitlements/packages.service.ts'
import { createChannelAir } from '../src/features/streams/on-air/on-air.service.ts'
import { programmes } from '../src/features/television/guide-import/guide.table.ts'
import { extendSchedules } from '../src/features/television/schedule/extend-schedules.ts'
import { tendRecordings } from '../src/features/viewing/recordings/recording-jobs.ts'
import { type Actor, buildTrackSet } from './builders.ts'
import { testScene } from './scene.ts'
import { type DatabaseKind, NOON } from './service.ts'

const HOUR_MS = 3600_000

/**
 * Creates a service with a library channel and a relay. Also returns functions that record as the scene's actor.
 */
export function recordingScene(kind: DatabaseKind, settings: Partial<Settings> = {}) {
  const ids: Record<string, number> = {}
  const scene = testScene(kind, {
    actor: { packages: { television: {} }, tokenDays: 400 },
    settings,
    prepared: async ({ service: { context }, make }) => {
      const { db } = context
      const names = { fra: 'Télévision', eng: 'Television' }
      await ensurePackage(db, 'television', names, 10)
      await ensurePackage(db, 'little', names, 1)
      const half = () => buildTrackSet({ seconds: 1800 })
      await make.asset('La Houle', { trackSet: half() })
      await make.asset('Encre', { trackSet: half(), moralityLevel: 5 })
      const inPackages = ['television', 'little']
      const rules = { kind: 'sequence', titles: ['La Houle', 'Encre'] }
      ids.library = (await make.channel('Rive', rules, { inPackages })).id
      ids.relay = (await make.channel('Relais', rules, { inPackages, kind: 'relay', rules: null })).id
      await extendSchedules(db, createTrackSetStore(db), NOON)
      await db.insert(programmes).values({
        channelId: ids.relay,
        universalId: 'r1',
        startsAt: NOON + HOUR_MS,
        endsAt: NOON + 2 * HOUR_MS,
        titles: { fra: 'Loin' },
        moralityLevel: 0,
      })
    },
  })
  const parts = () => {
    const { db, log, settings, configurations, connection } = scene.service.context
    return {
      db,
      log,
      settings,
      configurations,
      air: createChannelAir(db, createTrackSetStore(db), connection.changes),
    }
  }
  const tend = async () => await tendRecordings(parts(), scene.service.clock.now())

  async function guide(channel = 'library', from = NOON, hours = 24): Promise<Programme[]> {
    const id = ids[channel] ?? 0
    const input = { start: from / 1000, offset: 0, hours, channelIds: [id] }
    const { result } = await scene.service.call(epg, input, scene.actor.tokens)
    return result[`chan_${id}`] ?? []
  }
  /** Returns a programme with this title from noon on. `place` counts from 0. */
  async function programme(title = 'La Houle', place = 1): Promise<Programme> {
    const found = (await guide('library', NOON, 48)).filter((each) => each.title === title)[place]
    if (!found) throw new Error(`The guide does not have ${title}.`)
    return found
  }
  const record = async (
    { id, id_channel }: Pick<Programme, 'id' | 'id_channel'>,
    actor: Actor = scene.actor,
  ) => await scene.service.call(calls.createRecording, { idEvent: id, idChannel: id_channel }, actor.tokens)
  const list = async (actor: Actor = scene.actor) =>
    (await scene.service.call(calls.listRecordings, {}, actor.tokens)).result
  const read = async (id: number) =>
    (await scene.service.call(calls.readRecording, { id }, scene.actor.tokens)).result
  const remove = async (id: number) =>
    await scene.service.call(calls.removeRecording, { id }, scene.actor.tokens)
  const restore = async (id: number) =>
    await scene.service.call(calls.restoreRecording, { id }, scene.actor.tokens)
  const quota = async (actor: Actor = scene.actor) =>
    await scene.service.call(calls.readQuota, {}, actor.tokens)
  const play = async (id: number, x: 'start' | 'last' = 'start', actor: Actor = scene.actor) =>
    await scene.service.call(calls.playRecording, { id, x, format: 'hls' }, actor.tokens)
  const change = async (
    id: number,
    flags: { isFavorite?: boolean; isBegun?: boolean },
    actor: Actor = scene.actor,
  ) => await scene.service.call(calls.changeRecording, { id, ...flags }, actor.tokens)
  const at = (milliseconds: number) => scene.service.clock.set(milliseconds)
  return {
    scene,
    ids,
    parts,
    tend,
    guide,
    programme,
    record,
    list,
    read,
    remove,
    restore,
    change,
    quota,
    play,
    at,
  }
}
