import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listRecordings, listSeriesRecordings, type Recording } from '@ondine/contract/recordings'
import { LIVE_CHANNEL } from '@ondine/demo/live-channel'
import { KEEPERS_LOG, LIVE_TIME_ZONE, liveGuide } from '@ondine/demo/live-guide'
import { describe, expect, it } from 'vitest'
import { buildTrackSet } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON, type Tokens } from '../../../../test/service.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { findAccountByEmail } from '../../people/accounts/accounts.service.ts'
import { listProfiles } from '../../people/profiles/profiles.service.ts'
import { accountToken, profileToken } from '../../people/sign-in/tokens.ts'
import { addGrant } from '../../rights/entitlements/grants.service.ts'
import { createChannelAir } from '../../streams/on-air/on-air.service.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'
import { tendRecordings } from '../../viewing/recordings/recording-jobs.ts'
import { recordings } from '../../viewing/recordings/recordings.table.ts'
import { ensureDemonstrationAccounts, SUBSCRIBER } from './demonstration-accounts.ts'
import { DemonstrationRecordings } from './demonstration-recordings.ts'

const HOUR = 3_600_000
const SECONDS = 400 * 86_400
const RULES = {
  kind: 'dayparts',
  dayparts: [{ from: '00:00', titles: ['La Houle', 'Encre'] }],
}

describe.each(MAIN_DB)('recordings of the demonstration, on a database of kind %s', (kind) => {
  const scene = testScene(kind)

  const parts = () => {
    const { db, log, settings, configurations, connection } = scene.service.context
    const air = createChannelAir(db, createTrackSetStore(db), connection.changes)
    return { db, log, settings, configurations, air }
  }
  const record = async () => {
    const { context } = scene.service
    return await new DemonstrationRecordings(context, parts()).record(context.storefronts.list())
  }
  async function tokensOf(isChild: boolean): Promise<Tokens> {
    const { db, keys, storefronts } = scene.service.context
    const account = await findAccountByEmail(db, storefronts.first().id, SUBSCRIBER)
    const profile = account && (await listProfiles(db, account.id)).find(({ kid }) => kid === isChild)
    if (!account || !profile) throw new Error('The subscriber has no such profile.')
    return {
      'x-auth-token': accountToken(keys, account, SECONDS),
      'x-profile-token': profileToken(keys, profile, SECONDS),
    }
  }
  const list = async (isChild = false): Promise<Recording[]> =>
    (await scene.service.call(listRecordings, {}, await tokensOf(isChild))).result.records
  const statesOf = (all: readonly Recording[]) => all.map(({ channel, state }) => `${channel} ${state}`)

  /** Creates the channels of the demonstration, without media for the live channel. */
  async function broadcast(): Promise<void> {
    const { make, service } = scene
    const { db, settings } = service.context
    for (const title of ['La Houle', 'Encre'])
      await make.asset(title, { trackSet: buildTrackSet({ seconds: 1800 }), moralityLevel: 1 })
    for (const name of ['Rive', 'Terra', 'Onde 4', 'Petit'])
      await make.channel(name, RULES, { inPackages: ['channels'] })
    await make.channel(LIVE_CHANNEL.name, RULES, {
      inPackages: ['channels'],
      kind: 'live',
      guideId: LIVE_CHANNEL.guide,
      rules: null,
    })
    await extendSchedules(db, createTrackSetStore(db), NOON)
    const guide = join(settings.DATA_DIR, 'guide.xml')
    await writeFile(guide, liveGuide(LIVE_CHANNEL.guide, NOON))
    await runCommand(service, 'guide import', [guide], { timeZone: LIVE_TIME_ZONE })
  }

  it('wait for the channels, and for the plan of the subscriber', async () => {
    const { context } = scene.service
    const { channels } = await ensureDemonstrationAccounts(context, context.storefronts.list())
    expect(await record()).toBe(false)
    await broadcast()
    expect(await record()).toBe(false)
    expect(await list()).toEqual([])
    for (const { id } of context.storefronts.list()) {
      const account = await findAccountByEmail(context.db, id, SUBSCRIBER)
      if (!account) continue
      await addGrant(context.db, {
        accountId: account.id,
        opens: { packageId: channels },
        source: 'operator',
        sourceId: 'test',
        from: NOON - 70 * 24 * HOUR,
        to: null,
      })
    }
    expect(await record()).toBe(true)
  })

  it('A4.2-04 A7.3-10 are complete, running, planned and failed', async () => {
    await tendRecordings(parts(), NOON)
    const states = statesOf(await list())
    expect(states).toEqual(expect.arrayContaining(['Rive recorded', 'Terra recorded', 'Onde 4 recorded']))
    expect(states).toEqual(expect.arrayContaining(['Rive recording', 'Rive planned', 'Phare planned']))
    expect(states.filter((state) => state === 'Phare failed')).toHaveLength(1)
    const failed = (await list()).find(({ state }) => state === 'failed')
    expect(failed?.endutc).toBeLessThan(NOON / 1000)
    expect(failed?.next?.startutc).toBeGreaterThan(NOON / 1000)
  })

  it('have a series, with its coming episodes and without their repeats', async () => {
    const { result } = await scene.service.call(listSeriesRecordings, {}, await tokensOf(false))
    expect(result).toMatchObject([
      {
        title: KEEPERS_LOG.title.fra,
        channel: LIVE_CHANNEL.name,
        episodes: 'new',
        keepLast: 5,
        isFull: false,
      },
    ])
    const episodes = (await list()).filter(({ title }) => title === KEEPERS_LOG.title.fra)
    expect(episodes.length).toBeGreaterThan(5)
    expect(new Set(episodes.map(({ subtitle, episode }) => `${subtitle} ${episode}`)).size).toBe(
      episodes.length,
    )
    expect(episodes.every(({ state }) => state === 'planned')).toBe(true)
  })

  it('include recordings of a child', async () => {
    const states = statesOf(await list(true))
    expect(states).toEqual(expect.arrayContaining(['Petit recorded', 'Petit planned', 'Phare planned']))
    expect(states).toHaveLength(3)
  })

  it('are made once: a later start changes nothing', async () => {
    const count = async () => await scene.service.context.db.$count(recordings)
    const before = await count()
    expect(await record()).toBe(true)
    scene.service.clock.set(NOON + 2 * HOUR)
    expect(await record()).toBe(true)
    expect(await count()).toBe(before)
    scene.service.clock.set(NOON)
  })
})
