import { sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database } from '../../../database/connection.ts'
import { manyRowsOf } from '../../../database/rows.ts'
import { isIncluded, isVisible, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import { packagesOfChannels } from '../../rights/entitlements/packages.service.ts'
import { canRecord } from '../../television/channels/recordable.service.ts'

/** A coming showing of a recorded programme that a viewer may record. */
export interface RecordableShowing {
  programmeId: number
  channelId: number
  channelNames: LocalisedText
  /** Milliseconds since the Unix epoch. */
  startsAt: number
}

/** A {@link RecordableShowing}, with the fields that decide whether a viewer may record it. */
interface Candidate extends RecordableShowing {
  recordedProgrammeId: number
  channelKind: Parameters<typeof canRecord>[0]['kind']
  channelLevel: number
  isChannelFree: boolean
  moralityLevel: number
  adult: boolean
  packageIds: readonly number[]
  /** Profiles that record the showing. */
  recordedBy: readonly number[]
}

/** The coming showings of recorded programmes, for any viewer. */
export class RecordableShowings {
  readonly #candidates: ReadonlyMap<number, readonly Candidate[]>

  constructor(candidates: readonly Candidate[]) {
    this.#candidates = Map.groupBy(candidates, ({ recordedProgrammeId }) => recordedProgrammeId)
  }

  /**
   * Returns the first showing of a recorded programme that the viewer may record, on any channel. Undefined if the
   * profile already records a next showing.
   */
  of(recordedProgrammeId: number, viewer: Viewer, profileId: number): RecordableShowing | undefined {
    const candidates = this.#candidates.get(recordedProgrammeId) ?? []
    if (candidates.some(({ recordedBy }) => recordedBy.includes(profileId))) return undefined
    return candidates.find((candidate) => {
      const { channelKind, channelLevel, isChannelFree, packageIds } = candidate
      return (
        canRecord({ kind: channelKind }) &&
        isVisible(viewer, candidate) &&
        isVisible(viewer, { moralityLevel: channelLevel, adult: false }) &&
        isIncluded(viewer, packageIds, isChannelFree)
      )
    })
  }
}

/** Reads the next showings of recorded programmes: the showings that begin after `now`. */
export async function findRecordableShowings(
  db: Database,
  recordedProgrammeIds: readonly number[],
  now: number,
): Promise<RecordableShowings> {
  if (recordedProgrammeIds.length === 0) return new RecordableShowings([])
  const at = new Date(now).toISOString()
  const [rows, packages] = await Promise.all([
    manyRowsOf<Omit<Candidate, 'packageIds'>>(
      db,
      sql`
        select id as "recordedProgrammeId", programme_id as "programmeId", channel_id as "channelId",
          (extract(epoch from starts_at) * 1000)::float8 as "startsAt", channel_names as "channelNames",
          kind as "channelKind", channel_level as "channelLevel", free as "isChannelFree",
          morality_level as "moralityLevel", adult, array(
            select o.profile_id from recorded_programmes p join recordings o on o.recorded_programme_id = p.id
            where p.programme_id = first.programme_id and o.removed_at is null) as "recordedBy"
        from (
          select distinct on (r.id, n.channel_id) r.id, n.id as programme_id, n.channel_id, n.starts_at,
            h.names as channel_names, h.kind, h.morality_level as channel_level, h.free,
            coalesce(a.morality_level, n.morality_level) as morality_level, coalesce(a.adult, n.adult) as adult
          from recorded_programmes r
          -- Two branches, so that each finds its programmes by an index.
          cross join lateral (
            select c.* from programmes c where c.asset_id = r.asset_id and c.ends_at > ${at}
            union all
            select c.* from ${KEYS_OF_TITLES} join programmes c
              on c.asset_id is null and c.programme_key = wanted.key and c.ends_at > ${at}
            where c.titles = r.titles and c.subtitles = r.subtitles
              and c.season_number is not distinct from r.season_number
              and c.episode_number is not distinct from r.episode_number
          ) as n
          join channels h on h.id = n.channel_id and h.shown
          left join assets a on a.id = n.asset_id
          where r.id = any(${sql.param(`{${recordedProgrammeIds.join(',')}}`)}::int[])
            and n.starts_at > ${at} and not n.details @> '{"recordingForbidden": true}'
          order by r.id, n.channel_id, n.starts_at
        ) as first
        order by starts_at, programme_id`,
    ),
    packagesOfChannels(db),
  ])
  return new RecordableShowings(
    rows.map((row) => ({ ...row, packageIds: packages.get(row.channelId) ?? [] })),
  )
}

/**
 * The table `wanted`, with each `programme_key` for the titles of a recorded programme `r`. A key contains titles and a
 * rating, so there is one key for each rating.
 */
const KEYS_OF_TITLES = sql.raw(`(
  select md5(r.titles::text || ' ' || level || ' ' || adult) as key
  from generate_series(0, 6) as level, unnest(array['true', 'false']) as adult) as wanted`)
