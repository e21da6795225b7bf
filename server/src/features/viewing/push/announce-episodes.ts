import { sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { manyRowsOf } from '../../../database/rows.ts'
import type { About } from './news.ts'

/** Most series of a slice. */
const BATCH = 200
/** Most episodes that a message counts. */
const MOST_EPISODES = 100

/** A message for a subscription. */
interface Announcement {
  subscriptionId: number
  about: About
}

/** A followed series with the episodes that can be watched now. `known` is null at the first look. */
interface Series {
  id: number
  ready: number[]
  known: number[] | null
}

/** Series that a profile with a subscription has in its favourites, or records. */
const FOLLOWED = sql.raw(`
  select f.category_id, s.id as subscription_id
  from push_subscriptions s join favourites f on f.profile_id = s.profile_id
  where f.category_id is not null
  union
  select r.category_id, s.id
  from push_subscriptions s join series_recordings r on r.profile_id = s.profile_id
  where r.category_id is not null and r.removed_at is null`)

/**
 * Announces episodes that can be watched since the last look, of series that somebody follows. The first look at a
 * series announces nothing. Works in slices (docs/decisions/0035). After an interruption, a message may be queued twice,
 * but none is lost.
 */
export async function announceEpisodes(
  db: Database,
  now: number,
  queue: (announcements: readonly Announcement[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  // Of a series that nobody has followed for a while, old episodes would count as new.
  await db.execute(sql`
    delete from announced_series
    where category_id not in (select category_id from (${FOLLOWED}) as followed)`)
  const pace = new Pace(BATCH)
  for (let last = 0, more = true; more; ) {
    signal.throwIfAborted()
    more = await pace.slice(async (most) => {
      const some = await followedSeries(db, last, most, now)
      await announce(db, some, queue)
      last = some.at(-1)?.id ?? last
      return some.length === most
    })
  }
}

async function followedSeries(db: Database, after: number, most: number, now: number): Promise<Series[]> {
  const at = new Date(now).toISOString()
  return await manyRowsOf<Series>(
    db,
    sql`
      select c.id, n.episode_ids as known,
        coalesce((select json_agg(a.id order by a.id) from assets a
          where a.serie_id = c.id and a.availability = 'ready' and a.valid_from <= ${at}::timestamptz
            and (a.valid_to is null or a.valid_to > ${at}::timestamptz)), '[]') as ready
      from categories c left join announced_series n on n.category_id = c.id
      where c.id > ${after} and c.kind = 'series' and c.id in (select category_id from (${FOLLOWED}) as followed)
      order by c.id limit ${most}`,
  )
}

async function announce(
  db: Database,
  some: readonly Series[],
  queue: (announcements: readonly Announcement[]) => Promise<void>,
): Promise<void> {
  const changed = some.flatMap(({ id, ready, known }) => {
    const before = new Set(known)
    const fresh = ready.filter((episode) => !before.has(episode))
    // Episodes that were withdrawn stay known, because they may come back.
    return known !== null && fresh.length === 0
      ? []
      : [{ id, fresh: known === null ? [] : fresh, episodes: [...new Set([...before, ...ready])] }]
  })
  if (changed.length === 0) return
  const news = new Map(changed.filter(({ fresh }) => fresh.length > 0).map(({ id, fresh }) => [id, fresh]))
  const followers = await manyRowsOf<{ categoryId: number; subscriptionId: number }>(
    db,
    sql`select category_id as "categoryId", subscription_id as "subscriptionId" from (${FOLLOWED}) as followed
      where category_id = any(${sql.param(`{${[...news.keys()].join(',')}}`)}::int[])`,
  )
  await queue(
    followers.map(({ categoryId, subscriptionId }) => ({
      subscriptionId,
      about: { kind: 'episodes', categoryId, assetIds: (news.get(categoryId) ?? []).slice(0, MOST_EPISODES) },
    })),
  )
  await db.execute(sql`
    insert into announced_series (category_id, episode_ids)
    select id, array(select json_array_elements_text(episodes)::int)
    from json_to_recordset(${JSON.stringify(changed)}::json) as changed (id int, episodes json)
    on conflict (category_id) do update set episode_ids = excluded.episode_ids`)
}
