import { type Configuration, DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { and, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import { ServiceError } from '../../../http/errors.ts'
import { isCurrent, isOpen } from '../../people/accounts/accounts.service.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'
import type { Configurations } from '../../settings/configuration/configuration.service.ts'
import { grants } from './entitlements.table.ts'
import { endOf, GIVES_ACCESS } from './grants.service.ts'
import { type Holding, NOTHING_OWNED, type Owned, ownedOf, type Tenure, tenureOf } from './owned.service.ts'

/**
 * The properties of a viewer that decide what the viewer may see or play. Only the predicates below make such
 * decisions, each for a viewer.
 */
export interface Viewer {
  /** Null for a visitor. */
  accountId: number | null
  /** Null for a visitor, and if no profile is active. */
  profileId: number | null
  /** Whether the profile is a child's. Everything above the level of such a profile is hidden from it (spec 27). */
  kid: boolean
  /** 0 to 6; 0 means no limit. */
  maximumMoralityLevel: number
  /** Packages that give access now. */
  packageIds: ReadonlySet<number>
  /** The packages among `packageIds` that give access without downloads (A3-18). */
  withoutDownloads: ReadonlySet<number>
  /** The packages among `packageIds` that give access to video of limited height only, with the height in lines. */
  packageHeights: ReadonlyMap<number, number>
  /** Rights of the account outside of packages. */
  owned: Owned
  /** Null for a visitor. */
  status: AccountStatus | null
  /**
   * Whether the operator has parental control switched on (V1-11). If not, no code is asked for, but the
   * level of a child's profile still applies.
   */
  hasParentalControl: boolean
  /** How far back the operator lets viewers watch live channels (V1-08, V3-47). */
  live: Pick<Configuration['live'], 'startOverEnabled' | 'timeshiftOttConfig'>
  /** Requirements of licences for the viewer's device. */
  protection: Configuration['protection']
  /** Whether the parental code was given for this call. Only playback requires the code, lists never do. */
  hasGivenCode?: boolean
}

/** Limits of a profile. */
export type Limits = Pick<Viewer, 'kid' | 'maximumMoralityLevel'>

type AccountStatus = (typeof accounts.$inferSelect)['status']

/** Rating of a title. */
export interface Rated {
  /** Age level of the title, 0 to 6. `LEVEL_AGES` gives the age for each level. */
  moralityLevel: number
  adult: boolean
}

/** Rating of a title that has left the catalogue and can no longer be rated: it is treated as content for adults. */
export const UNRATED: Rated = { moralityLevel: 6, adult: true }

/**
 * The properties of a title or channel that decide whether it may be played. Times are milliseconds since the
 * Unix epoch.
 */
export interface Playable extends Rated {
  kind: 'asset' | 'channel'
  id: number
  /** Only for episodes. */
  serieId?: number | null
  seasonId?: number | null
  packageIds: readonly number[]
  /** Whether every account can play the title or channel, regardless of the account's packages. */
  free?: boolean
  validFrom?: number
  validTo?: number | null
}

/** A viewer who is not signed in. */
export const VISITOR: Viewer = {
  accountId: null,
  profileId: null,
  kid: false,
  maximumMoralityLevel: 0,
  packageIds: new Set(),
  withoutDownloads: new Set(),
  packageHeights: new Map(),
  owned: NOTHING_OWNED,
  status: null,
  hasParentalControl: true,
  live: DEFAULT_CONFIGURATION.live,
  protection: DEFAULT_CONFIGURATION.protection,
}

/** Part of a call that identifies its caller. `Call` of the HTTP ladder fits this type. */
export interface Caller {
  /**
   * `since` is when the account was signed in, in seconds since the Unix epoch. It is omitted for licences and relayed
   * streams of a play session, which began with a check of the sign-in.
   */
  account: { id: number; since?: number } | null
  profile: { id: number; kid: boolean; maximumMoralityLevel: number } | null
  /** Storefront that a visitor calls. An account has its own storefront. */
  storefront?: { id: number }
}

/** Source of the operator's settings. */
export type Rules = Pick<Configurations, 'of'>

/** Returns the viewer with the operator's current settings for the storefront. */
export function underRules(viewer: Viewer, storefrontId: number | undefined, rules: Rules): Viewer {
  if (storefrontId === undefined) return viewer
  const { accounts, live, protection } = rules.of(storefrontId)
  const hasParentalControl = accounts.isParentalControlEnabled
  const isAsBefore =
    viewer.hasParentalControl === hasParentalControl &&
    viewer.live.startOverEnabled === live.startOverEnabled &&
    viewer.live.timeshiftOttConfig === live.timeshiftOttConfig &&
    viewer.protection.security === protection.security &&
    viewer.protection.hdcp === protection.hdcp &&
    viewer.protection.hardwareAboveHeight === protection.hardwareAboveHeight
  return isAsBefore ? viewer : { ...viewer, hasParentalControl, live, protection }
}

/**
 * Returns the viewer of a call. It takes one query, or no query for a visitor. The level and the child flag come from
 * the database, so that a parent's change applies at once, and not only when the profile's token has expired.
 *
 * @param now milliseconds since the Unix epoch.
 * @throws ServiceError tokenInvalid for a sign-in from before the password was changed
 */
export async function viewerOf(
  { db, configurations }: { db: Database; configurations: Rules },
  caller: Caller,
  now: number,
): Promise<Viewer> {
  const timed = await loadViewer(db, caller, now)
  requireSince(timed, caller)
  return underRules(timed.viewer, timed.storefrontId, configurations)
}

/**
 * A viewer with the period for which it is valid. At the end of the period, a right of the account begins or ends. A
 * change of the account makes the viewer invalid earlier.
 */
export interface TimedViewer {
  viewer: Viewer
  /** Storefront whose settings apply, see {@link underRules}. */
  storefrontId: number | undefined
  /**
   * Sign-ins of the account that began before this time are no longer valid, in milliseconds since the Unix epoch. Null
   * if sign-ins of any age are valid.
   */
  sessionsFrom: number | null
  /** Period of validity, from `from` until before `until`, in milliseconds since the Unix epoch. */
  from: number
  until: number
}

const NOBODY = { viewer: VISITOR, sessionsFrom: null, until: Number.POSITIVE_INFINITY }

/**
 * Rejects tokens issued before the last password change. Every call that loads a viewer is checked in this way.
 *
 * @throws ServiceError tokenInvalid
 */
export function requireSince({ sessionsFrom }: Pick<TimedViewer, 'sessionsFrom'>, { account }: Caller): void {
  if (account?.since !== undefined && !isCurrent({ sessionsFrom }, account.since))
    throw new ServiceError('tokenInvalid')
}

/**
 * Rejects tokens of an account that was closed after they were issued. Playback is not checked here, because
 * {@link requirePlay} reports the reason.
 *
 * @throws ServiceError tokenInvalid
 */
export function requireOpen({ viewer: { status } }: Pick<TimedViewer, 'viewer'>): void {
  if (status === null || !isOpen({ status })) throw new ServiceError('tokenInvalid')
}

/**
 * Loads the viewer of a call with its period of validity. The operator's settings are not applied yet; {@link
 * underRules} applies them.
 */
export async function loadViewer(
  db: Database,
  { account, profile, storefront }: Caller,
  now: number,
): Promise<TimedViewer> {
  if (!account) return { ...NOBODY, storefrontId: storefront?.id, from: now }
  const [viewer] = await loadViewers(db, [{ account, profile, now }])
  if (!viewer) throw new Error(`No viewer was loaded for account ${account.id}.`)
  return viewer
}

/** A call of an account. */
export interface AccountCall {
  account: { id: number }
  profile: Caller['profile']
  /** Milliseconds since the Unix epoch. */
  now: number
}

/** Loads viewers with one statement, as {@link loadViewer} does. @returns the viewers in the order of the calls */
export async function loadViewers(db: Database, calls: readonly AccountCall[]): Promise<TimedViewer[]> {
  const since = new Date(Math.min(...calls.map(({ now }) => now))).toISOString()
  const milliseconds = (moment: SQL | AnyPgColumn) => sql`extract(epoch from ${moment}) * 1000`
  const stored = sql<StoredHolding[]>`coalesce((
    select json_agg(json_build_array(
      ${grants.id}, ${grants.packageId}, ${grants.assetId}, ${grants.categoryId}, ${grants.channelId},
      ${milliseconds(grants.validFrom)}, nullif(${milliseconds(endOf())}, 'infinity'),
      case when ${grants.startedAt} is null then ${grants.slotSeconds} end, ${grants.downloads},
      ${grants.maximumHeight}))
    from ${grants}
    where ${and(eq(grants.accountId, accounts.id), inArray(grants.statusId, [...GIVES_ACCESS]), sql`${endOf()} > ${since}::timestamptz`)}
  ), '[]'::json)`
  const profileIds = calls.flatMap(({ profile }) => profile?.id ?? [])
  const rows = await db
    .select({
      accountId: accounts.id,
      status: accounts.status,
      storefrontId: accounts.storefrontId,
      sessionsFrom: accounts.sessionsFrom,
      profileId: profiles.id,
      kid: profiles.kid,
      maximumMoralityLevel: profiles.maximumMoralityLevel,
      stored,
    })
    .from(accounts)
    .leftJoin(profiles, and(oneOf(profiles.id, profileIds), eq(profiles.accountId, accounts.id)))
    .where(
      oneOf(
        accounts.id,
        calls.map(({ account }) => account.id),
      ),
    )
    .prepare('viewers')
    .execute()
  // The query returns a row for each profile that calls, so an account can have several rows.
  const byAccount = Map.groupBy(rows, ({ accountId }) => accountId)
  return calls.map(({ account, profile, now }) => {
    const its = byAccount.get(account.id) ?? []
    const own = profile && its.find(({ profileId }) => profileId === profile.id)
    const [row] = its
    const held = (row?.stored ?? []).map(holdingOf).filter(({ to }) => to > now)
    const active = held.filter(({ from }) => from <= now)
    const turns = held.flatMap(({ from, to }) => [from, to])
    return {
      // If a child's profile was deleted while the child watches, the viewer keeps the limits of the profile.
      viewer: {
        accountId: row ? account.id : null,
        profileId: own?.profileId ?? null,
        kid: own?.kid ?? profile?.kid ?? false,
        maximumMoralityLevel: own?.maximumMoralityLevel ?? profile?.maximumMoralityLevel ?? 0,
        ...packagesOf(active),
        owned: ownedOf(active),
        status: row?.status ?? null,
        hasParentalControl: true,
        live: DEFAULT_CONFIGURATION.live,
        protection: DEFAULT_CONFIGURATION.protection,
      },
      storefrontId: row?.storefrontId,
      sessionsFrom: row?.sessionsFrom ?? null,
      from: now,
      until: Math.min(...turns.filter((turn) => turn > now), Number.POSITIVE_INFINITY),
    }
  })
}

/**
 * A right in the form that the query above returns. Times are milliseconds since the Unix epoch; `to` is null for an
 * unlimited right.
 */
type StoredHolding = [
  grantId: number,
  packageId: number | null,
  assetId: number | null,
  categoryId: number | null,
  channelId: number | null,
  from: number,
  to: number | null,
  slotSeconds: number | null,
  downloads: boolean,
  maximumHeight: number | null,
]

function holdingOf([
  grantId,
  packageId,
  assetId,
  categoryId,
  channelId,
  from,
  end,
  slotSeconds,
  downloads,
  maximumHeight,
]: StoredHolding): Holding {
  const time = { grantId, from, to: end ?? Number.POSITIVE_INFINITY, slotSeconds, downloads, maximumHeight }
  if (packageId !== null) return { kind: 'package', id: packageId, ...time }
  if (assetId !== null) return { kind: 'assets', id: assetId, ...time }
  if (categoryId !== null) return { kind: 'categories', id: categoryId, ...time }
  return { kind: 'channels', id: channelId ?? 0, ...time }
}

/**
 * Returns the packages of a viewer. Of several rights to a package, one is enough for downloads, and the highest video
 * counts.
 */
function packagesOf(
  holdings: readonly Holding[],
): Pick<Viewer, 'packageIds' | 'withoutDownloads' | 'packageHeights'> {
  const held = holdings.filter(({ kind }) => kind === 'package')
  const withDownloads = new Set(held.flatMap(({ id, downloads }) => (downloads ? [id] : [])))
  const packageIds = new Set(held.map(({ id }) => id))
  const heights = new Map<number, number>()
  for (const { id, maximumHeight } of held)
    heights.set(id, Math.max(heights.get(id) ?? 0, maximumHeight ?? Number.POSITIVE_INFINITY))
  return {
    packageIds,
    withoutDownloads: new Set([...packageIds].filter((id) => !withDownloads.has(id))),
    packageHeights: new Map([...heights].filter(([, height]) => Number.isFinite(height))),
  }
}

/**
 * Returns a key of all properties of a viewer that the predicates below use. Viewers with the same key are one
 * audience: they see the same catalogue, apart from their playback positions and their purchases outside of packages.
 */
export function audienceOf(viewer: Viewer): string {
  const { accountId, kid, maximumMoralityLevel, packageIds, withoutDownloads } = viewer
  const { hasParentalControl, live } = viewer
  const packages = accountId === null ? [] : [...packageIds].toSorted((one, other) => one - other)
  const written = packages.map((id) => (withoutDownloads.has(id) ? `${id}-` : id))
  return `${accountId === null ? 'visitor' : 'account'} ${kid} ${maximumMoralityLevel} ${hasParentalControl} ${live.startOverEnabled} ${live.timeshiftOttConfig} ${written.join(',')}`
}

/**
 * Returns whether the viewer may play content of these packages (V3-18), or content that is free for every account.
 * Content in no package is not sold, so every account may play it. A library is in no package until the operator sells
 * something.
 */
export function isIncluded(viewer: Viewer, packageIds: readonly number[], free = false): boolean {
  if (viewer.accountId === null) return false
  return free || packageIds.length === 0 || packageIds.some((id) => viewer.packageIds.has(id))
}

/**
 * Returns the right to play that the viewer has outside of packages (V3-18); undefined if there is none, or if a
 * package includes the content.
 */
export function tenureFor(viewer: Viewer, playable: Playable): Tenure | undefined {
  if (isIncluded(viewer, playable.packageIds, playable.free)) return undefined
  const { kind, id, serieId = null, seasonId = null } = playable
  return kind === 'channel'
    ? viewer.owned.channels.get(id)
    : tenureOf(viewer.owned, { id, serieId, seasonId })
}

/** Returns whether a viewer whose packages include content of these packages may also download it (A3-18). */
export function includesDownloads(
  { packageIds: held, withoutDownloads }: Pick<Viewer, 'packageIds' | 'withoutDownloads'>,
  packageIds: readonly number[],
): boolean {
  return packageIds.length === 0 || packageIds.some((id) => held.has(id) && !withoutDownloads.has(id))
}

/** Returns whether a viewer who may play an asset may also download it (A3-18). */
export function mayDownload(viewer: Viewer, playable: Playable): boolean {
  const tenure = tenureFor(viewer, playable)
  return tenure === undefined ? includesDownloads(viewer, playable.packageIds) : tenure.downloads
}

/**
 * Returns whether a title exists for the viewer. A child's profile sees nothing above its level, and nothing
 * for adults (spec 27).
 */
export function isVisible(viewer: Limits, title: Rated): boolean {
  return !viewer.kid || !(title.adult || isAboveLevel(viewer, title))
}

/**
 * Returns the rule of {@link isVisible} as an SQL condition on the columns of a title's level and adult flag; undefined
 * if the viewer may see every title.
 */
export function levelCondition(viewer: Viewer, level: AnyPgColumn, adult: AnyPgColumn): SQL | undefined {
  if (!viewer.kid) return undefined
  return and(
    eq(adult, false),
    viewer.maximumMoralityLevel > 0 ? lte(level, viewer.maximumMoralityLevel) : undefined,
  )
}

/**
 * Returns whether the parental code is required: for titles above the profile's level (A6-07), and always for
 * adult content (A6-08). Without parental control it is never required (V1-11).
 */
export function needsParentalCode(viewer: Viewer, title: Rated): boolean {
  if (!viewer.hasParentalControl || viewer.hasGivenCode === true) return false
  return title.adult || isAboveLevel(viewer, title)
}

/** Returns whether a title's pictures are shown blurred (A6-08). */
export function isBlurred(viewer: Viewer, title: Rated): boolean {
  return viewer.hasParentalControl && title.adult
}

function isAboveLevel(viewer: Limits, { moralityLevel }: Rated): boolean {
  return viewer.maximumMoralityLevel > 0 && moralityLevel > viewer.maximumMoralityLevel
}

/**
 * Checks the right to play. Throws an error with the code of the reason: -1 not signed in, -2409 suspended, -404 not
 * for this child's profile, -1605 outside the content's validity, -11 or -1721 neither in the viewer's packages nor
 * bought separately, -1612 the parental code is required.
 *
 * @param now milliseconds since the Unix epoch.
 */
export function requirePlay(viewer: Viewer, playable: Playable, now: number): void {
  requireActiveAccount(viewer)
  if (!isVisible(viewer, playable)) throw new ServiceError('notFound')
  const { validFrom = 0, validTo = null } = playable
  const hasRight =
    isIncluded(viewer, playable.packageIds, playable.free) || tenureFor(viewer, playable) !== undefined
  // The catalogue does not show content before this time, so only viewers with the right to it learn when it is.
  if (validFrom > now) throw hasRight ? notAvailableBefore(validFrom) : new ServiceError('resourceNotActive')
  if (validTo !== null && validTo <= now) throw new ServiceError('resourceNotActive')
  if (!hasRight) {
    throw new ServiceError(playable.kind === 'channel' ? 'channelNotAllowed' : 'noViewingRights')
  }
  if (needsParentalCode(viewer, playable)) throw new ServiceError('invalidAccessCode')
}

/** Returns the error for content that begins to be available later, in milliseconds since the Unix epoch. */
export function notAvailableBefore(from: number): ServiceError {
  return new ServiceError('resourceNotActive', { availableFrom: Math.ceil(from / 1000) })
}

/** Rejects viewers who may not play anything now: visitors, and accounts that are not active. */
export function requireActiveAccount(viewer: Viewer): void {
  if (viewer.accountId === null || viewer.profileId === null) throw new ServiceError('tokenInvalid')
  switch (viewer.status) {
    case 'ACTIVE':
      return
    case 'SUSPENDED':
      throw new ServiceError('accountSuspended')
    case 'PENDING_ACTIVATION':
    case 'INACTIVE':
      throw new ServiceError('accountNotActivated')
    default:
      throw new ServiceError('tokenInvalid')
  }
}
