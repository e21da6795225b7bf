import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SettableClock } from '@ondine/server/clock'
import type { Context } from '@ondine/server/context'
import { rowsOf } from '@ondine/server/database/rows'
import { readSettings } from '@ondine/server/env'
import { viewerOf } from '@ondine/server/features/rights/entitlements/entitlements.service'
import { addGrants } from '@ondine/server/features/rights/entitlements/grants.service'
import {
  ensurePackage,
  putChannelsInPackage,
} from '@ondine/server/features/rights/entitlements/packages.service'
import { importGuideCommand } from '@ondine/server/features/television/guide-import/guide.commands'
import { followHourly, tendRecordings } from '@ondine/server/features/viewing/recordings/recording-jobs'
import { type RecordingParts, schedule } from '@ondine/server/features/viewing/recordings/recordings.service'
import { createService } from '@ondine/server/service'
import { GuideWeek, type WeekProgramme } from '@ondine/server/test/guide-week'
import { guideOf, show } from '@ondine/server/test/guides'
import { NOON } from '@ondine/server/test/service'
import { sql } from 'drizzle-orm'
import { makeCustomers } from '../customers.ts'
import { nothingMore, withInstallation } from '../installation.ts'
import type { Figure, Row } from '../row.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'

const HOUR_MS = 3_600_000
const PER_DAY = 24
const WEEK_HOURS = 7 * 24
/** Number of recordings of each viewer. */
const EACH = 10
/** Number of parallel requests to record. */
const AT_ONCE = 8
/** Number of channels per guide file. */
const FILE_CHANNELS = 50
/**
 * A recording covers its programme if its start and its end differ from the programme's by less than this, in
 * milliseconds.
 */
const TOLERANCE_MS = 2000

/**
 * Simulates a week with a simulated clock. XMLTV imports change the guide of many channels repeatedly, and the
 * jobs for recordings run every hour. At the end, counts the recordings that do not cover their programmes.
 */
export const recordedWeek: Row = {
  name: 'recorded-week',
  measure: async ({ titles }) =>
    await withTemporaryFolder(
      async (folder) =>
        await withInstallation('postgresql', nothingMore, async ({ environment }) => {
          const clock = new SettableClock(NOON)
          const settings = readSettings({ ...environment, LOG_LEVEL: 'silent' })
          const service = await createService({ settings, clock })
          try {
            const size = { channels: titles / 100, changes: titles / 50, recordings: titles }
            return await simulate(service.context, clock, folder, size)
          } finally {
            await service.close()
          }
        }),
    ),
}

interface Size {
  channels: number
  changes: number
  recordings: number
}

async function simulate(
  context: Context,
  clock: SettableClock,
  folder: string,
  size: Size,
): Promise<Figure[]> {
  const names = Array.from({ length: size.channels }, (_, index) => `k${index}`)
  const week = new GuideWeek(names, { perDay: PER_DAY, slotHours: 1 })
  const channelOf = await addChannels(context, names)
  const times = { imported: 0, followed: 0 }
  const onGuideChanged: Context['onGuideChanged'] = async (channelId) => {
    const startedAt = performance.now()
    await context.onGuideChanged(channelId)
    times.followed += performance.now() - startedAt
  }
  async function announce(some: readonly string[]): Promise<void> {
    const path = join(folder, 'week.xml')
    const all = some.flatMap((name) =>
      week.announced(name).map(([title, from, to]) => show(name, from, to, `<title>${title}</title>`)),
    )
    await writeFile(path, guideOf(all.join('\n')))
    const startedAt = performance.now()
    await importGuideCommand.run(
      { ...context, onGuideChanged },
      { arguments: [path], options: { name: 'week' } },
      { signal: new AbortController().signal, report: () => undefined },
    )
    times.imported += performance.now() - startedAt
  }
  for (let first = 0; first < names.length; first += FILE_CHANNELS)
    await announce(names.slice(first, first + FILE_CHANNELS))

  const parts: RecordingParts = { ...context, air: fullAir }
  await recordAll(context, parts, size.recordings)
  const recorded = await recordedOf(context, week, channelOf)
  times.imported = 0
  times.followed = 0
  let lastHour = 0
  for (let turn = 0; turn < size.changes; turn++) {
    const hour = (turn * WEEK_HOURS) / size.changes
    clock.set(NOON + hour * HOUR_MS)
    if (Math.floor(hour) > lastHour) {
      lastHour = Math.floor(hour)
      await tendRecordings(parts, clock.now())
      await followHourly(parts, clock.now())
    }
    const changed = week.change(hour)
    if (changed === undefined) throw new Error('The week is over.')
    await announce([changed])
  }
  const wrong = await countWrong(context, recorded)
  const what = `a simulated week of ${size.channels} channels, ${size.changes.toLocaleString('en-GB')} changes of the guide and ${size.recordings.toLocaleString('en-GB')} recordings, on PostgreSQL`
  return [
    {
      what: `${what}: recordings that do not cover their programme`,
      unit: '',
      values: [wrong],
      target: { better: 'lower', mustReach: 0, aimsAt: 0 },
      reference: { what: 'all recordings', values: [size.recordings] },
      note: `The clock jumps; each change is an import of XMLTV that moves, lengthens, splits, drops or brings back a programme that has not begun. The jobs run every hour. ${recorded.size.toLocaleString('en-GB')} programmes are recorded.`,
    },
    {
      what: 'following one change of the guide',
      unit: 'ms',
      values: [times.followed / size.changes],
      target: { better: 'lower', mustReach: null, aimsAt: null },
      reference: { what: 'its import', values: [(times.imported - times.followed) / size.changes] },
    },
  ]
}

/** A fake of the channels' stored media. It has media without gaps for any time. */
const fullAir: RecordingParts['air'] = {
  at: async () => undefined,
  spansToLicense: async () => [],
  ratingAt: async () => undefined,
  barredUntil: async () => undefined,
  liveUntil: async () => 0,
  piecesIn: async (_channelId, from, to) => [
    {
      from,
      to,
      rating: { moralityLevel: 0, adult: false },
      isJoined: false,
      isSlate: false,
      isRecordingForbidden: false,
      liveUntil: 0,
    },
  ],
  expectedIn: async () => [],
  hasMediaFor: async () => true,
  ofCopy: () => fullAir,
  sweep: () => undefined,
  size: 0,
}

/** Adds live channels. @returns names of the channels by id */
async function addChannels({ db }: Context, names: readonly string[]): Promise<Map<number, string>> {
  const packageId = await ensurePackage(db, 'recorder', { fra: 'Magnétoscope' }, 10_000)
  const rows = await rowsOf<{ id: number; name: string }>(
    db,
    sql`
      insert into channels (kind, number, source_key, guide_id, names)
      select 'live', 1000 + number, name, name, jsonb_build_object('fra', name)
      from jsonb_array_elements_text(${JSON.stringify(names)}::jsonb) with ordinality as given (name, number)
      returning id, guide_id as name`,
  )
  await putChannelsInPackage(
    db,
    packageId,
    rows.map(({ id }) => id),
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Creates recordings of programmes of the whole week. Each viewer records some of them. */
async function recordAll(context: Context, parts: RecordingParts, count: number): Promise<void> {
  const { db, clock } = context
  const customers = await makeCustomers(context, count / EACH)
  const packageId = await ensurePackage(db, 'recorder', { fra: 'Magnétoscope' })
  await addGrants(
    db,
    customers.map(({ accountId }) => ({
      accountId,
      opens: { packageId },
      source: 'operator' as const,
      sourceId: `bench ${accountId}`,
      from: NOON - HOUR_MS,
      to: null,
    })),
  )
  const programmes = await rowsOf<{ id: number; channelId: number }>(
    db,
    sql`select id, channel_id as "channelId" from programmes
      where source_id is not null and starts_at > ${new Date(NOON).toISOString()} order by starts_at, channel_id`,
  )
  const profiles = await rowsOf<{ id: number; accountId: number }>(
    db,
    sql`select id, account_id as "accountId" from profiles where account_id in (
      select unnest(${sql.param(`{${customers.map(({ accountId }) => accountId).join(',')}}`)}::int[])) order by id`,
  )
  let next = 0
  const work = async () => {
    for (let turn = next++; turn < profiles.length; turn = next++) {
      const owner = profiles[turn]
      if (!owner) return
      const { accountId, id: profileId } = owner
      const profile = { id: profileId, kid: false, maximumMoralityLevel: 0 }
      const viewer = await viewerOf(context, { account: { id: accountId }, profile }, clock.now())
      for (let each = 0; each < EACH; each++) {
        // The factor and the number of programmes have no common divisor, so the recordings are distributed over
        // the whole week.
        const programme = programmes[((turn * EACH + each) * 7919) % programmes.length]
        if (!programme) throw new Error('There are no programmes.')
        const wanted = { idEvent: programme.id, idChannel: programme.channelId }
        await schedule(parts, viewer, { accountId, profileId }, wanted, clock.now())
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Returns the guide's programmes by the id of the recorded programme. */
async function recordedOf(
  { db }: Context,
  week: GuideWeek,
  channelOf: ReadonlyMap<number, string>,
): Promise<Map<number, WeekProgramme>> {
  const rows = await rowsOf<{ id: number; channelId: number; startsAt: number }>(
    db,
    sql`select id, channel_id as "channelId", (extract(epoch from starts_at) * 1000)::float8 as "startsAt"
      from recorded_programmes`,
  )
  return new Map(
    rows.map(({ id, channelId, startsAt }) => {
      const programme = week.channels
        .get(channelOf.get(channelId) ?? '')
        ?.find(({ from }) => Math.abs(from * HOUR_MS + NOON - startsAt) < TOLERANCE_MS)
      if (!programme) throw new Error('A recorded programme is not of the week.')
      return [id, programme]
    }),
  )
}

/**
 * Returns the number of recordings that are wrong at the end: they do not cover their programme, or are not marked
 * as dropped although the guide dropped the programme.
 */
async function countWrong({ db }: Context, recorded: ReadonlyMap<number, WeekProgramme>): Promise<number> {
  const rows = await rowsOf<{ id: number; from: number; to: number; isDropped: boolean; recordings: number }>(
    db,
    sql`select id, (extract(epoch from starts_at) * 1000)::float8 as from,
        (extract(epoch from ends_at) * 1000)::float8 as to, dropped_at is not null as "isDropped",
        (select count(*)::int from recordings where recorded_programme_id = p.id) as recordings
      from recorded_programmes p`,
  )
  if (rows.length !== recorded.size)
    throw new Error(`${rows.length} of ${recorded.size} recorded programmes are left.`)
  return rows.reduce((wrong, row) => {
    const programme = recorded.get(row.id)
    if (!programme) throw new Error('There is an unknown recorded programme.')
    const [from, to] = [programme.from, programme.from + programme.length].map(
      (hours) => NOON + hours * HOUR_MS,
    )
    const isCovered =
      Math.abs(row.from - (from ?? 0)) < TOLERANCE_MS && Math.abs(row.to - (to ?? 0)) < TOLERANCE_MS
    const isRight = programme.isDropped ? row.isDropped : isCovered && !row.isDropped
    return isRight ? wrong : wrong + row.recordings
  }, 0)
}
