import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '@ondine/server/context'
import { openDatabase } from '@ondine/server/database/connection'
import { rowsOf } from '@ondine/server/database/rows'
import { readSettings } from '@ondine/server/env'
import { addGrants } from '@ondine/server/features/rights/entitlements/grants.service'
import {
  ensurePackage,
  putChannelsInPackage,
} from '@ondine/server/features/rights/entitlements/packages.service'
import { type SQL, sql } from 'drizzle-orm'
import { Connection, encodeRequest } from '../connection.ts'
import { type Customer, makeCustomers } from '../customers.ts'
import { withInstallation } from '../installation.ts'
import { type Load, type LoadResult, load } from '../load.ts'
import type { Effort, Figure, Row } from '../row.ts'
import { type Service, startPeer, startService } from '../service.ts'

const HOUR_MS = 3_600_000
/** Recording time that the package includes, in hours. */
const RECORDING_HOURS = 1000
const CHANNELS = 20
const DAYS = 7
const CUSTOMERS = 1000
const CONNECTIONS = 32
/** Number of successive requests whose database time is measured. */
const ALONE = 1000
/** Number of viewers whose lists are read. `OTHER_RECORDINGS` is the number of each viewer's other recordings. */
const READERS = 200
const OTHER_RECORDINGS = 20
const READS_PER_SECOND = 200
/** Time after which PostgreSQL has published its statistics, in milliseconds. */
const STATISTICS_MS = 2000

/** Measures requests to record, and the recording lists of viewers who record the same programme. */
export const recordings: Row = {
  name: 'recordings',
  measure: async (effort) =>
    await withInstallation(
      'postgresql',
      async (context) => await prepare(context, effort.titles * 2),
      async ({ environment }, prepared) => {
        const service = await startService(environment)
        const peer = await startPeer('empty-route')
        const { db, close } = await openDatabase(readSettings(environment))
        const figures = [
          await measureRequest(db, service, prepared),
          await measureRate(service, peer, prepared, effort),
          ...(await measureLists(db, service, peer, prepared, effort)),
        ]
        await close()
        await service.stop()
        await peer.stop()
        return figures
      },
    ),
}

type Db = Context['db']

/** Data that the row has prepared. */
interface Prepared {
  programmes: { id: number; channelId: number }[]
  customers: Customer[]
  /** Number of viewers who record the same programme. */
  viewers: number
}

/** Creates channels with a guide, and viewers who may record. All viewers record the first programme. */
async function prepare(context: Context, viewers: number): Promise<Prepared> {
  const { db } = context
  const packageId = await ensurePackage(db, 'recorder', { fra: 'Magnétoscope' }, RECORDING_HOURS)
  const channelIds = await rowsOf<{ id: number }>(
    db,
    sql`
      insert into channels (kind, number, source_key, guide_id, names)
      select 'live', 1000 + n, 'recorded-' || n, 'recorded-' || n, jsonb_build_object('fra', 'Chaîne ' || n)
      from generate_series(1, ${CHANNELS}::int) as n returning id`,
  )
  const ids = channelIds.map(({ id }) => id)
  await putChannelsInPackage(db, packageId, ids)
  const begin = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 24 * HOUR_MS).toISOString()
  await db.execute(sql`
    insert into programmes (channel_id, universal_id, starts_at, ends_at, titles, subtitles, descriptions)
    select c, c || '-' || n, at, at + interval '30 minutes', jsonb_build_object('fra', 'Émission ' || n % 50),
      jsonb_build_object('fra', 'Épisode ' || c || ' ' || n), jsonb_build_object('fra', repeat('Une histoire. ', 20))
    from ${list(ids)} as c, generate_series(0, ${DAYS * 48 - 1}::int) as n,
      lateral (select ${begin}::timestamptz + n * interval '30 minutes' as at) as time`)
  const programmes = await rowsOf<{ id: number; channelId: number }>(
    db,
    sql`select id, channel_id as "channelId" from programmes
      where channel_id in (select * from ${list(ids)}) order by starts_at, channel_id`,
  )
  const customers = await makeCustomers(context, viewers)
  const from = Date.now() - HOUR_MS
  for (let first = 0; first < customers.length; first += 2000) {
    await addGrants(
      db,
      customers.slice(first, first + 2000).map(({ accountId }) => ({
        accountId,
        opens: { packageId },
        source: 'operator' as const,
        sourceId: `bench ${accountId}`,
        from,
        to: null,
      })),
    )
  }
  await store(db, packageId, programmes.slice(0, 1), sql`true`)
  const readers = customers.slice(-READERS).map(({ accountId }) => accountId)
  await store(
    db,
    packageId,
    programmes.slice(1, 1 + OTHER_RECORDINGS),
    sql`o.account_id in (select * from ${list(readers)})`,
  )
  await db.execute(sql`analyze`)
  return { programmes: programmes.slice(1 + OTHER_RECORDINGS), customers, viewers }
}

/**
 * Stores recordings of programmes for those profiles of customers that `condition` selects. In the SQL condition,
 * `o` is the table of profiles.
 */
async function store(
  db: Db,
  packageId: number,
  programmes: readonly { id: number }[],
  condition: SQL,
): Promise<void> {
  await db.execute(sql`
    with added as (
      insert into recorded_programmes (channel_id, programme_id, universal_id, starts_at, ends_at, pinned_from, pinned_to,
        other_starts, titles, subtitles, descriptions, genres, morality_level, adult)
      select channel_id, id, universal_id, starts_at, ends_at, starts_at - interval '1 minute',
        ends_at + interval '5 minutes', '{"byId": [], "byContent": []}', titles, subtitles, descriptions, genres,
        morality_level, adult
      from programmes where id in (select * from ${list(programmes.map(({ id }) => id))}) returning id
    )
    insert into recordings (account_id, profile_id, recorded_programme_id, package_ids)
    select o.account_id, o.id, added.id, array[${packageId}::int]
    from added, profiles o join accounts a on a.id = o.account_id
    where a.email like 'customer-%' and ${condition}`)
}

/** Measures the database time of successive requests. */
async function measureRequest(db: Db, service: Service, prepared: Prepared): Promise<Figure> {
  const connection = await Connection.open(service.port)
  const send = async (from: number) => {
    for (const request of requestsTo(prepared, from, ALONE)) {
      const { status } = await connection.ask(encodeRequest(request))
      if (status !== 200) throw new Error(`Answered with ${status}.`)
    }
  }
  // The first request is not measured, because PostgreSQL plans the first statements of a connection.
  await send(0)
  const before = await databaseMs(db)
  const startedAt = performance.now()
  await send(ALONE)
  const perSecond = (ALONE * 1000) / (performance.now() - startedAt)
  const taken = (await databaseMs(db)) - before
  connection.close()
  await db.execute(sql`create table bench_rows (id serial primary key, n int)`)
  const start = await databaseMs(db)
  for (let turn = 0; turn < ALONE; turn++)
    await db.transaction(async (tx) => {
      await tx.execute(sql`insert into bench_rows (n) values (${turn})`)
    })
  const bare = (await databaseMs(db)) - start
  return {
    what: 'one recording, from request to scheduled: time in the database',
    unit: 'ms',
    values: [taken / ALONE],
    target: { better: 'lower', mustReach: 1, aimsAt: null },
    reference: { what: 'a transaction that inserts one row', values: [bare / ALONE] },
    note: `${ALONE.toLocaleString('en-GB')} requests, one after the other, at ${perSecond.toFixed(0)}/s, as PostgreSQL counts its active time. No media is read or written: all programmes are to come.`,
  }
}

/** Measures the rate of parallel requests from many viewers. */
async function measureRate(
  service: Service,
  peer: Service,
  prepared: Prepared,
  { rounds, roundMs }: Effort,
): Promise<Figure> {
  const common = { connections: CONNECTIONS, milliseconds: roundMs }
  const subject: number[] = []
  const reference: number[] = []
  const each = Math.ceil(roundMs * 3)
  for (let round = 0; round < rounds; round++) {
    const requests = requestsTo(prepared, 2 * ALONE + round * each, each)
    const { answersPerSecond } = await load({ ...common, port: service.port, requests })
    if ((answersPerSecond * roundMs) / 1000 > each) throw new Error('Requests were repeated.')
    subject.push(answersPerSecond)
    const empty = requests.map((request) => ({ ...request, path: '/' }))
    reference.push((await load({ ...common, port: peer.port, requests: empty })).answersPerSecond)
  }
  return {
    what: 'recordings that are requested, on PostgreSQL',
    unit: '/s',
    values: subject,
    target: { better: 'higher', mustReach: null, aimsAt: 10_000 },
    reference: { what: 'an empty Fastify route that takes the same form', values: reference },
    note: `Of ${CUSTOMERS.toLocaleString('en-GB')} viewers on ${CONNECTIONS} connections, each for another programme than before.`,
  }
}

/** Measures the lists of viewers who all record the same programme. */
async function measureLists(
  db: Db,
  service: Service,
  peer: Service,
  { customers, viewers }: Prepared,
  { rounds, roundMs }: Effort,
): Promise<Figure[]> {
  const requests = (path: string) =>
    customers.slice(-READERS).map(({ tokens }) => ({ path, headers: tokens }))
  const common = { connections: 8, milliseconds: roundMs, perSecond: READS_PER_SECOND }
  const subject: Load = { ...common, port: service.port, requests: requests('/npvr/0?languageId=fra') }
  const other: Load = { ...common, port: peer.port, requests: requests('/') }
  const results = { subject: [] as LoadResult[], reference: [] as LoadResult[] }
  await load(subject)
  for (let round = 0; round < rounds; round++) {
    results.subject.push(await load(subject))
    results.reference.push(await load(other))
  }
  const [stored] = await rowsOf<{ intervals: number; recordings: number }>(
    db,
    sql`
      select count(*)::int as intervals, (
        select count(*)::int from recordings where recorded_programme_id = min(p.id)) as recordings
      from recorded_programmes p
      where (channel_id, starts_at) = (select channel_id, starts_at from recorded_programmes order by id limit 1)`,
  )
  const many = viewers.toLocaleString('en-GB')
  if (stored?.recordings !== viewers)
    throw new Error(`${stored?.recordings} of ${many} recordings are stored.`)
  return [
    {
      what: `${many} viewers record one programme: intervals of media that they pin`,
      unit: '',
      values: [stored.intervals],
      target: { better: 'lower', mustReach: 1, aimsAt: 1 },
      reference: { what: 'a copy for each viewer', values: [viewers] },
    },
    {
      what: 'the list of one of these viewers, 99 of 100',
      unit: 'ms',
      values: results.subject.map(({ p99Ms }) => p99Ms),
      target: { better: 'lower', mustReach: 20, aimsAt: null },
      reference: { what: 'an empty Fastify route', values: results.reference.map(({ p99Ms }) => p99Ms) },
      note: `At ${READS_PER_SECOND}/s, of ${READERS} viewers, each with ${OTHER_RECORDINGS + 1} recordings.`,
    },
  ]
}

/** Returns requests to record. All requests differ. */
function requestsTo({ programmes, customers }: Prepared, from: number, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const turn = from + index
    const { tokens } = customers[turn % CUSTOMERS] ?? { tokens: {} }
    const programme = programmes[Math.floor(turn / CUSTOMERS)]
    if (!programme) throw new Error('There are too few programmes.')
    return {
      method: 'POST' as const,
      path: '/npvr/0',
      headers: { ...tokens, 'content-type': 'application/x-www-form-urlencoded' },
      body: `idEvent=${programme.id}&idChannel=${programme.channelId}&languageId=fra`,
    }
  })
}

/** Returns the total time that PostgreSQL has spent on statements of this database, in milliseconds. */
async function databaseMs(db: Db): Promise<number> {
  await pause(STATISTICS_MS)
  const [row] = await rowsOf<{ active: number }>(
    db,
    sql`select active_time as active from pg_stat_database where datname = current_database()`,
  )
  return row?.active ?? 0
}

function list(ids: readonly number[]): SQL {
  return sql`unnest(${sql.param(`{${ids.join(',')}}`)}::int[])`
}
