import { sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { manyRowsOf } from '../../../database/rows.ts'
import type { About } from './news.ts'
import { announcedSeries } from './push.table.ts'

/** Maximum number of series in a slice. */
const BATCH = 200
/** Maximum number of messages that one statement queues. */
const MESSAGES = 500
/** Maximum number of episodes in one message. */
const MOST_EPISODES = 100

/** A message for a subscription. */
interface Announcement {
  subscriptionId: number
  about: About
}

/**
 * A followed series with the episodes that can be watched now. `known` has the episodes of earlier looks; null at
 * the first look.
 */
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
 * Announces episodes of followed series that became watchable since the last look. The first look at a series only
 * stores its episodes. Works in slices (docs/decisions/0035). An interruption may queue a message twice, but loses
 * none.
 */
export async function announceEpisodes(
  db: Database,
  now: number,
  queue: (announcements: readonly Announcement[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  // Deletes the stored episodes of series that no profile follows any more. Otherwise the next profile that follows
  // such a series would get all episodes that appeared in the meantime.
  await db.execute(sql`
    delete from announced_series
    where category_id not in (select category_id from (${FOLLOWED}) as followed)`)
  const pace = new Pace(BATCH)
  let last = 0
  for (;;) {
    signal.throwIfAborted()
    const { changed, isLast } = await pace.slice(async (most) => {
      const some = await followedSeries(db, last, most, now)
      last = some.at(-1)?.id ?? last
      return { changed: some.flatMap(changeOf), isLast: some.length < most }
    })
    await remember(
      db,
      changed.filter(({ fresh }) => fresh.length === 0),
    )
    for (const each of changed.filter(({ fresh }) => fresh.length > 0)) {
      await announce(db, each, queue, signal)
      await remember(db, [each])
    }
    if (isLast) return
  }
}

/** Deletes the stored episodes of all series. The next look announces nothing. */
export async function forgetAnnounced(db: Database): Promise<void> {
  await db.delete(announcedSeries)
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

/** A series whose episodes have changed since the last look. */
interface ChangedSeries {
  id: number
  /** Episodes to announce. */
  fresh: number[]
  /** Episodes that are not announced again. Includes withdrawn episodes, because they may be published again. */
  episodes: number[]
}

function changeOf({ id, ready, known }: Series): ChangedSeries[] {
  const before = new Set(known)
  const fresh = ready.filter((episode) => !before.has(episode))
  if (known !== null && fresh.length === 0) return []
  return [{ id, fresh: known === null ? [] : fresh, episodes: [...new Set([...before, ...ready])] }]
}

/** Queues the messages about a series, in several slices, because very many profiles may follow a popular series. */
async function announce(
  db: Database,
  { id, fresh }: ChangedSeries,
  queue: (announcements: readonly Announcement[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const about: About = { kind: 'episodes', categoryId: id, assetIds: fresh.slice(0, MOST_EPISODES) }
  const followers = await manyRowsOf<{ id: number }>(
    db,
    sql`select subscription_id as id from (${FOLLOWED}) as followed where category_id = ${id}`,
  )
  await new Pace(MESSAGES).over(
    followers,
    async (some) => await queue(some.map((follower) => ({ subscriptionId: follower.id, about }))),
    signal,
  )
}

async function remember(db: Database, changed: readonly ChangedSeries[]): Promise<void> {
  if (changed.length === 0) return
  await db.execute(sql`
    insert into announced_series (category_id, episode_ids)
    select id, array(select json_array_elements_text(episodes)::int)
    from json_to_recordset(${JSON.stringify(changed)}::json) as changed (id int, episodes json)
    on conflict (category_id) do update set episode_ids = excluded.episode_ids`)
}
