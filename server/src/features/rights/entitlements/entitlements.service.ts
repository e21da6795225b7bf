import { type Configuration, DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import type { ErrorDetails } from '@ondine/contract/operation'
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
 * The properties of a viewer that decide what the viewer may see or play. Only the predicates in this file make
 * these decisions.
 */
export interface Viewer {
  /** Null for a viewer who is not signed in. */
  accountId: number | null
  /** Null for a viewer who is not signed in, and if no profile is active. */
  profileId: number | null
  /**
   * Whether the profile is a child's. Content above the level of a child's profile is hidden from it (spec 27).
   */
  kid: boolean
  /** Age level of the profile, 0 to 6. 0 means no limit. */
  maximumMoralityLevel: number
  /** Ids of the packages that the viewer has now. */
  packageIds: ReadonlySet<number>
  /** Ids of the viewer's packages that do not allow downloads (A3-18). */
  withoutDownloads: ReadonlySet<number>
  /** Packages of the viewer that limit the height of video: the height in lines, by package id. */
  packageHeights: ReadonlyMap<number, number>
  /** Rights of the account outside of packages. */
  owned: Owned
  /** Null for a viewer who is not signed in. */
  status: AccountStatus | null
  /**
   * Whether the operator has switched parental control on (V1-11). Without parental control, no call needs the
   * parental code. The level of a child's profile still applies.
   */
  hasParentalControl: boolean
  /** The operator's start-over and time-shift settings of live channels (V1-08, V3-47). */
  live: Pick<Configuration['live'], 'startOverEnabled' | 'timeshiftOttConfig'>
  /** The operator's settings for licences and for devices without hardware security. */
  protection: Configuration['protection']
  /** Whether this call contains the correct parental code. Only playback requires the code, lists never do. */
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

/**
 * Rating of a title that has left the catalogue. Its real rating is not known, so it counts as content for adults.
 */
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

/** Returns the offers that open content which is locked for the viewer (spec 16); undefined for a child's profile. */
export type OffersFor = (viewer: Viewer, locked: Playable) => ErrorDetails['offers']

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
   * `since` is the time of the sign-in, in seconds since the Unix epoch. Licence calls and relayed streams of a
   * play session omit `since`: the sign-in was checked when the play session started.
   */
  account: { id: number; since?: number } | null
  profile: { id: number; kid: boolean; maximumMoralityLevel: number } | null
  /**
   * Storefront of a call without a sign-in. For a call of an account, the storefront of the account applies
   * instead.
   */
  storefront?: { id: number }
}

/** Source of the operator's settings. */
export type Rules = Pick<Configurations, 'of'>

/** Returns the viewer with the operator's current settings for the storefront applied. */
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
 * Returns the viewer of a call. Queries the database only if the viewer is signed in. The level and the child flag
 * come from the database and not from the profile's token, so that a parent's change applies at once.
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
 * A viewer with its period of validity. The period ends when a right of the account begins or ends. A change of
 * the account invalidates the viewer earlier.
 */
export interface TimedViewer {
  viewer: Viewer
  /** Storefront whose settings apply, see {@link underRules}. */
  storefrontId: number | undefined
  /**
   * Sign-ins of the account that began before this time are rejected. In milliseconds since the Unix epoch. Null if
   * sign-ins of any age are valid.
   */
  sessionsFrom: number | null
  /** Period of validity, from `from` until before `until`, in milliseconds since the Unix epoch. */
  from: number
  until: number
}

const NOBODY = { viewer: VISITOR, sessionsFrom: null, until: Number.POSITIVE_INFINITY }

/**
 * Rejects tokens issued before the last password change. Each call that loads a viewer runs this check.
 *
 * @throws ServiceError tokenInvalid
 */
export function requireSince({ sessionsFrom }: Pick<TimedViewer, 'sessionsFrom'>, { account }: Caller): void {
  if (account?.since !== undefined && !isCurrent({ sessionsFrom }, account.since))
    throw new ServiceError('tokenInvalid')
}

/**
 * Rejects tokens of an account that was closed after they were issued. Playback skips this check, because {@link
 * requirePlay} reports the reason.
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
      case when ${grants.startedAt} is null then ${grants.slotSeconds} end, ${grants.slotSeconds} is not null,
      ${grants.downloads}, ${grants.maximumHeight}))
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
  // An account can have several rows, because the query returns a row for each profile that calls.
  const byAccount = Map.groupBy(rows, ({ accountId }) => accountId)
  return calls.map(({ account, profile, now }) => {
    const its = byAccount.get(account.id) ?? []
    const own = profile && its.find(({ profileId }) => profileId === profile.id)
    const [row] = its
    const held = (row?.stored ?? []).map(holdingOf).filter(({ to }) => to > now)
    const active = held.filter(({ from }) => from <= now)
    const turns = held.flatMap(({ from, to }) => [from, to])
    return {
      // The profile of a child can be deleted during playback. The viewer then keeps the limits of the profile
      // token.
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
 * A right as the query in `loadViewers` returns it. Times are milliseconds since the Unix epoch. `to` is null for
 * an unlimited right.
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
  isRental: boolean,
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
  isRental,
  downloads,
  maximumHeight,
]: StoredHolding): Holding {
  const to = end ?? Number.POSITIVE_INFINITY
  const time = { grantId, from, to, slotSeconds, isRental, downloads, maximumHeight }
  if (packageId !== null) return { kind: 'package', id: packageId, ...time }
  if (assetId !== null) return { kind: 'assets', id: assetId, ...time }
  if (categoryId !== null) return { kind: 'categories', id: categoryId, ...time }
  return { kind: 'channels', id: channelId ?? 0, ...time }
}

/**
 * Returns the packages of a viewer. If several rights give the same package, downloads are allowed if at least one
 * of these rights allows them, and the greatest height of video among these rights applies.
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
 * Returns whether the viewer may play content of these packages (V3-18). Every account may play content that is
 * free or in no package. The content of a new library is in no package until the operator sells it.
 */
export function isIncluded(viewer: Viewer, packageIds: readonly number[], free = false): boolean {
  if (viewer.accountId === null) return false
  return free || packageIds.length === 0 || packageIds.some((id) => viewer.packageIds.has(id))
}

/**
 * Returns the right to play that the viewer has outside of packages (V3-18). Returns undefined if the viewer has
 * no such right, or if a package of the viewer includes the content.
 */
export function tenureFor(viewer: Viewer, playable: Playable): Tenure | undefined {
  if (isIncluded(viewer, playable.packageIds, playable.free)) return undefined
  const { kind, id, serieId = null, seasonId = null } = playable
  return kind === 'channel'
    ? viewer.owned.channels.get(id)
    : tenureOf(viewer.owned, { id, serieId, seasonId })
}

/**
 * Returns whether a viewer may download content of these packages (A3-18). Assumes that the viewer may play the
 * content.
 */
export function includesDownloads(
  { packageIds: held, withoutDownloads }: Pick<Viewer, 'packageIds' | 'withoutDownloads'>,
  packageIds: readonly number[],
): boolean {
  return packageIds.length === 0 || packageIds.some((id) => held.has(id) && !withoutDownloads.has(id))
}

/** Returns whether the viewer may download an asset (A3-18). Assumes that the viewer may play the asset. */
export function mayDownload(viewer: Viewer, playable: Playable): boolean {
  const tenure = tenureFor(viewer, playable)
  return tenure === undefined ? includesDownloads(viewer, playable.packageIds) : tenure.downloads
}

/**
 * Returns whether the viewer may know that a title exists. From a child's profile, titles above its level and
 * titles for adults are hidden (spec 27).
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
 * adult content (A6-08). Without parental control the code is never required (V1-11).
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
 * Checks whether the viewer may play the content now. Throws an error whose code gives the reason: -1 not signed
 * in, -2409 suspended, -404 hidden from this child's profile, -1605 outside the content's validity, -11 or -1721
 * neither in the viewer's packages nor bought separately, -1612 the parental code is required.
 *
 * @param now milliseconds since the Unix epoch.
 * @param offersFor returns the offers that -11 and -1721 contain
 */
export function requirePlay(viewer: Viewer, playable: Playable, now: number, offersFor?: OffersFor): void {
  requireActiveAccount(viewer)
  if (!isVisible(viewer, playable)) throw new ServiceError('notFound')
  const { validFrom = 0, validTo = null } = playable
  const hasRight =
    isIncluded(viewer, playable.packageIds, playable.free) || tenureFor(viewer, playable) !== undefined
  // The catalogue hides content before `validFrom`. So only viewers with a right to the content learn the date.
  if (validFrom > now) throw hasRight ? notAvailableBefore(validFrom) : new ServiceError('resourceNotActive')
  if (validTo !== null && validTo <= now) throw new ServiceError('resourceNotActive')
  if (!hasRight) {
    const offers = offersFor?.(viewer, playable)
    throw new ServiceError(
      playable.kind === 'channel' ? 'channelNotAllowed' : 'noViewingRights',
      offers ? { offers } : null,
    )
  }
  if (needsParentalCode(viewer, playable)) throw new ServiceError('invalidAccessCode')
}

/** Returns the error for content that is available from `from` on, in milliseconds since the Unix epoch. */
export function notAvailableBefore(from: number): ServiceError {
  return new ServiceError('resourceNotActive', { availableFrom: Math.ceil(from / 1000) })
}

/** Rejects viewers without any right to play: visitors, and accounts that are not active. */
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
