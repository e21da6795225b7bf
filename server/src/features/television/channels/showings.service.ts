import type { Programme } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import { type SQL, sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database } from '../../../database/connection.ts'
import { manyRowsOf } from '../../../database/rows.ts'
import { textIn } from '../../../metadata/texts.ts'
import { isVisible, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import { presentProgramme } from './channels.presenter.ts'
import { findChannels } from './channels.repository.ts'
import { forbidsPast, forbidsRecording } from './forbidden-uses.service.ts'
import { findGuideAssets, type ProgrammeRow } from './programmes.repository.ts'

/**
 * Titles to find in the guide. `serieIds` finds all episodes of a series, `programmeKeys` finds titles that are
 * not in the library.
 */
export interface SoughtTitles {
  assetIds: readonly number[]
  serieIds: readonly number[]
  programmeKeys: readonly string[]
}

/** Start and end of the current showing, or of the next one. Milliseconds since the Unix epoch. */
export interface NextShowing {
  startsAt: number
  endsAt: number
}

/** Next showings by title. Titles without a current or later showing have no entry. */
export interface NextShowings {
  assets: Map<number, NextShowing>
  series: Map<number, NextShowing>
  programmes: Map<string, NextShowing>
}

type Row = ProgrammeRow & { channelNames: LocalisedText; serieId: number | null; programmeKey: string }

/** Showings by requested title. */
export interface Showings {
  assets: Map<number, Programme[]>
  series: Map<number, Programme[]>
  programmes: Map<string, Programme[]>
}

/**
 * Returns the current or next showing of each of these titles. One statement handles many titles, with an index
 * look-up for each title.
 */
export async function nextShowings(
  db: Database,
  { assetIds, serieIds, programmeKeys }: SoughtTitles,
  viewer: Viewer,
  now: number,
): Promise<NextShowings> {
  const shown = await visibleOn(db, viewer)
  const at = new Date(now).toISOString()
  const next = (condition: SQL) => sql`
    select ${milliseconds(sql`s.starts_at`)} as starts_at, ${milliseconds(sql`s.ends_at`)} as ends_at from programmes s
    where ${condition} and s.ends_at > ${at} ${shown}
    order by s.ends_at limit 1`
  const [assets, series, programmes] = await Promise.all([
    assetIds.length === 0
      ? []
      : manyRowsOf<NextShowing & { id: number }>(
          db,
          sql`select wanted.id, next.starts_at as "startsAt", next.ends_at as "endsAt" from ${idsOf(assetIds)} as wanted (id), lateral (${next(sql`s.asset_id = wanted.id`)}) as next`,
        ),
    serieIds.length === 0
      ? []
      : manyRowsOf<NextShowing & { id: number }>(
          db,
          sql`
            select a.serie_id as id, min(next.starts_at) as "startsAt", min(next.ends_at) as "endsAt"
            from ${idsOf(serieIds)} as wanted (id) join assets a on a.serie_id = wanted.id,
              lateral (${next(sql`s.asset_id = a.id`)}) as next
            group by a.serie_id`,
        ),
    programmeKeys.length === 0
      ? []
      : manyRowsOf<NextShowing & { id: string }>(
          db,
          sql`
            select wanted.id, next.starts_at as "startsAt", next.ends_at as "endsAt"
            from jsonb_array_elements_text(${JSON.stringify(programmeKeys)}::jsonb) as wanted (id),
              lateral (${next(sql`s.asset_id is null and s.programme_key = wanted.id`)}) as next`,
        ),
  ])
  const times = <Key>(rows: readonly (NextShowing & { id: Key })[]) =>
    new Map(rows.map(({ id, startsAt, endsAt }) => [id, { startsAt, endsAt }]))
  return { assets: times(assets), series: times(series), programmes: times(programmes) }
}

/**
 * Returns the current and later showings of these titles, at most `limit` per title, in order of time. Each
 * showing includes the name of its channel.
 */
export async function listShowings(
  db: Database,
  { assetIds, serieIds, programmeKeys }: SoughtTitles,
  viewer: Viewer,
  language: Language,
  now: number,
  limit: number,
): Promise<Showings> {
  const shown = await visibleOn(db, viewer)
  const at = new Date(now).toISOString()
  const details = sql`s.details`
  const columns = sql`
    s.id, s.channel_id as "channelId", s.universal_id as "universalId",
    ${milliseconds(sql`s.starts_at`)} as "startsAt", ${milliseconds(sql`s.ends_at`)} as "endsAt",
    s.asset_id as "assetId", s.titles, s.subtitles, s.descriptions, s.genres, s.morality_level as "moralityLevel", s.adult, s.year,
    s.season_number as "seasonNumber", s.episode_number as "episodeNumber", s.image_address, s.image_id,
    ${forbidsRecording(details)} as "isRecordingForbidden", ${forbidsPast(details)} as "isPastForbidden"`
  const coming = sql`s.ends_at > ${at} ${shown}`
  // Omit the subqueries that have no ids to look up: planning such a subquery in the embedded database takes as
  // long as running another one.
  const parts = [
    assetIds.length > 0 &&
      sql`
        select next.*, null::int as "serieId", '' as "programmeKey" from ${idsOf(assetIds)} as wanted (id), lateral (
          select ${columns} from programmes s where s.asset_id = wanted.id and ${coming} order by s.ends_at limit ${limit}
        ) as next`,
    serieIds.length > 0 &&
      sql`
        select next.*, wanted.id as "serieId", '' as "programmeKey" from ${idsOf(serieIds)} as wanted (id), lateral (
          select ${columns} from programmes s join assets a on a.id = s.asset_id
          where a.serie_id = wanted.id and ${coming} order by s.ends_at limit ${limit}
        ) as next`,
    programmeKeys.length > 0 &&
      sql`
        select next.*, null::int as "serieId", wanted.id as "programmeKey"
        from jsonb_array_elements_text(${JSON.stringify(programmeKeys)}::jsonb) as wanted (id), lateral (
          select ${columns} from programmes s
          where s.asset_id is null and s.programme_key = wanted.id and ${coming} order by s.ends_at limit ${limit}
        ) as next`,
  ].filter((part) => part !== false)
  const found: Showings = { assets: new Map(), series: new Map(), programmes: new Map() }
  if (parts.length === 0) return found
  const rows = await manyRowsOf<Row>(
    db,
    sql`
      select found.*, c.names as "channelNames",
        jsonb_build_object(
          'kind', c.kind, 'timeshiftSeconds', c.timeshift_seconds,
          'unbrokenSince', channel_media_since(c.kind, c.started_at, c.cursor)
        ) as channel, coalesce((
        select jsonb_build_object('id', i.id, 'width', i.width, 'height', i.height, 'color', i.color)
        from images i where i.id = found.image_id
      ), (
        select jsonb_build_object('id', p.image_id, 'width', p.width, 'height', p.height, 'color', p.color)
        from guide_pictures p where p.address = found.image_address and p.image_id <> ''
      )) as picture
      from (${sql.join(parts, sql` union all `)}) as found join channels c on c.id = found."channelId"`,
  )
  const assets = await findGuideAssets(
    db,
    rows.flatMap(({ assetId }) => assetId ?? []),
  )
  // The join may return the rows in any order.
  for (const row of rows.toSorted((one, other) => one.endsAt - other.endsAt)) {
    const asset = row.assetId === null ? undefined : assets.get(row.assetId)
    if (!isVisible(viewer, asset ?? row)) continue
    const programme = presentProgramme(row, asset, viewer, language)
    programme.direct_metadata.channel_name = textIn(row.channelNames, language)
    if (row.serieId !== null) append(found.series, row.serieId, programme)
    else if (row.assetId !== null) append(found.assets, row.assetId, programme)
    else append(found.programmes, row.programmeKey, programme)
  }
  return found
}

/**
 * Returns an SQL condition on the channel of a showing: the channel is not switched off, and not hidden from a
 * child's profile.
 */
async function visibleOn(db: Database, viewer: Viewer): Promise<SQL> {
  // Only few channels are hidden, so exclude their ids. A join would look up the channel of each programme.
  const shown = sql`and s.channel_id not in (select id from channels where shown is not true)`
  if (!viewer.kid) return shown
  const hidden = (await findChannels(db)).flatMap(({ id, moralityLevel }) =>
    isVisible(viewer, { moralityLevel, adult: false }) ? [] : [id],
  )
  return sql`${shown} and s.channel_id not in (select ${idsOf(hidden)})`
}

/**
 * Returns SQL for a time as whole milliseconds since the Unix epoch. The column has the same precision. `extract`
 * computes in decimals, which is far slower than `date_part`.
 */
function milliseconds(moment: SQL): SQL {
  return sql`(date_part('epoch', ${moment}) * 1000)::bigint`
}

/** Passes ids as one parameter, so that the statement's text does not depend on their number. */
function idsOf(ids: readonly number[]): SQL {
  return sql`unnest(${`{${ids.join(',')}}`}::int[])`
}

function append<Key>(map: Map<Key, Programme[]>, key: Key, programme: Programme): void {
  const list = map.get(key)
  if (list) list.push(programme)
  else map.set(key, [programme])
}
