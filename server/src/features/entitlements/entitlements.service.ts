import { type Configuration, DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { and, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
import { isCurrent, isOpen } from '../accounts/accounts.service.ts'
import { accounts } from '../accounts/accounts.table.ts'
import type { Configurations } from '../configuration/configuration.service.ts'
import { profiles } from '../profiles/profiles.table.ts'
import { grants } from './entitlements.table.ts'
import { endOf, GIVES_ACCESS } from './grants.service.ts'
import { type Holding, NOTHING_OWNED, type Owned, ownedOf, type Tenure, tenureOf } from './owned.ts'

/**
 * Who watches, as far as rights go. Everything that decides who may see or play what takes one of these and asks the
 * predicates below; nothing else decides.
 */
export interface Viewer {
  /** Null for a visitor. */
  accountId: number | null
  /** Null for a visitor, and where no profile is active. */
  profileId: number | null
  /** A child's profile: what is above its level does not exist for it (spec decision 27). */
  kid: boolean
  /** 0 to 6; 0 means no limit. */
  maximumMoralityLevel: number
  /** The packages that give access now. */
  packageIds: ReadonlySet<number>
  /** What the account has apart from them. */
  owned: Owned
  /** Null for a visitor. */
  status: AccountStatus | null
  /** Whether the operator has parental control (V1-11). Without it nobody is asked for a code; a child's level holds all the same. */
  hasParentalControl: boolean
  /** How far back the operator lets what is live be watched (V1-08, V3-47). */
  live: Pick<Configuration['live'], 'startOverEnabled' | 'timeshiftOttConfig'>
  /** The parental code was given for what is asked now: only what plays asks for it, no list does. */
  hasGivenCode?: boolean
}

/** What limits a profile. */
export type Limits = Pick<Viewer, 'kid' | 'maximumMoralityLevel'>

type AccountStatus = (typeof accounts.$inferSelect)['status']

/** What a rating says of a title. */
export interface Rated {
  /** 0 to 6: ages by `LEVEL_AGES`. */
  moralityLevel: number
  adult: boolean
}

/** The rating of what nobody can rate any more, because it has left the catalogue: it counts as meant for adults alone. */
export const UNRATED: Rated = { moralityLevel: 6, adult: true }

/** What may be played, as far as rights go. Times are milliseconds since the Unix epoch. */
export interface Playable extends Rated {
  kind: 'asset' | 'channel'
  id: number
  /** Of an episode. */
  serieId?: number | null
  seasonId?: number | null
  packageIds: readonly number[]
  /** Plays for every account, whatever its packages. */
  free?: boolean
  validFrom?: number
  validTo?: number | null
}

/** Somebody who is not signed in. */
export const VISITOR: Viewer = {
  accountId: null,
  profileId: null,
  kid: false,
  maximumMoralityLevel: 0,
  packageIds: new Set(),
  owned: NOTHING_OWNED,
  status: null,
  hasParentalControl: true,
  live: DEFAULT_CONFIGURATION.live,
}

/** The part of a call that says who makes it; `Call` of the HTTP ladder is one. */
export interface Caller {
  /** `since` when it was signed in, in seconds since the epoch; not asked after where a session goes on that had begun. */
  account: { id: number; since?: number } | null
  profile: { id: number; kid: boolean; maximumMoralityLevel: number } | null
  /** The face of the service that a visitor calls; accounts belong to theirs. */
  storefront?: { id: number }
}

/** Where it is looked up what an operator has switched on. */
export type Rules = Pick<Configurations, 'of'>

/** A viewer by what the operator has switched on at this moment. */
export function underRules(viewer: Viewer, storefrontId: number | undefined, rules: Rules): Viewer {
  if (storefrontId === undefined) return viewer
  const { accounts, live } = rules.of(storefrontId)
  const hasParentalControl = accounts.isParentalControlEnabled
  const isAsBefore =
    viewer.hasParentalControl === hasParentalControl &&
    viewer.live.startOverEnabled === live.startOverEnabled &&
    viewer.live.timeshiftOttConfig === live.timeshiftOttConfig
  return isAsBefore ? viewer : { ...viewer, hasParentalControl, live }
}

/**
 * The viewer behind a call: one query, none for a visitor. Level and child flag come from the database, so that a
 * parent's change holds at once and not when the profile's token ends.
 *
 * @param now milliseconds since the Unix epoch.
 * @throws ServiceError tokenInvalid for who signed in before the password was changed
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

/** A viewer, and until when that holds unless something is changed: a package may begin or end. */
export interface TimedViewer {
  viewer: Viewer
  /** Whose rules hold for it, see {@link underRules}. */
  storefrontId: number | undefined
  /** Who signed in before is signed in no more, in milliseconds since the Unix epoch; null for nobody. */
  sessionsFrom: number | null
  /** Milliseconds since the Unix epoch; both ends of the time it was found for. */
  from: number
  until: number
}

const NOBODY = { viewer: VISITOR, sessionsFrom: null, until: Number.POSITIVE_INFINITY }

/**
 * Refuses who signed in before the password was changed: of all that asks for the viewer, no call goes on with such a token.
 *
 * @throws ServiceError tokenInvalid
 */
export function requireSince({ sessionsFrom }: Pick<TimedViewer, 'sessionsFrom'>, { account }: Caller): void {
  if (account?.since !== undefined && !isCurrent({ sessionsFrom }, account.since))
    throw new ServiceError('tokenInvalid')
}

/**
 * Refuses whose account was closed since: a token that still holds reads nothing more of it. What plays says itself why it does
 * not ({@link requirePlay}).
 *
 * @throws ServiceError tokenInvalid
 */
export function requireOpen({ viewer: { status } }: Pick<TimedViewer, 'viewer'>): void {
  if (status === null || !isOpen({ status })) throw new ServiceError('tokenInvalid')
}

/** The viewer behind a call, with the time for which that holds, before what the operator has switched on. */
export async function loadViewer(
  db: Database,
  { account, profile, storefront }: Caller,
  now: number,
): Promise<TimedViewer> {
  if (!account) return { ...NOBODY, storefrontId: storefront?.id, from: now }
  const since = new Date(now).toISOString()
  const milliseconds = (moment: SQL | AnyPgColumn) => sql`extract(epoch from ${moment}) * 1000`
  const stored = sql<StoredHolding[]>`coalesce((
    select json_agg(json_build_array(
      ${grants.id}, ${grants.packageId}, ${grants.assetId}, ${grants.categoryId}, ${grants.channelId},
      ${milliseconds(grants.validFrom)}, nullif(${milliseconds(endOf())}, 'infinity'),
      case when ${grants.startedAt} is null then ${grants.slotSeconds} end))
    from ${grants}
    where ${and(eq(grants.accountId, accounts.id), inArray(grants.statusId, [...GIVES_ACCESS]), sql`${endOf()} > ${since}::timestamptz`)}
  ), '[]'::json)`
  const [row] = await db
    .select({
      status: accounts.status,
      storefrontId: accounts.storefrontId,
      sessionsFrom: accounts.sessionsFrom,
      profileId: profiles.id,
      kid: profiles.kid,
      maximumMoralityLevel: profiles.maximumMoralityLevel,
      stored,
    })
    .from(accounts)
    .leftJoin(profiles, and(eq(profiles.id, profile?.id ?? 0), eq(profiles.accountId, accounts.id)))
    .where(eq(accounts.id, account.id))
    .prepare('viewer')
    .execute()
  const held = (row?.stored ?? []).map(holdingOf)
  const active = held.filter(({ from }) => from <= now)
  const turns = held.flatMap(({ from, to }) => [from, to])
  return {
    // A profile that has gone while its child watches: it still sees no more than it did.
    viewer: {
      accountId: row ? account.id : null,
      profileId: row?.profileId ?? null,
      kid: row?.kid ?? profile?.kid ?? false,
      maximumMoralityLevel: row?.maximumMoralityLevel ?? profile?.maximumMoralityLevel ?? 0,
      packageIds: new Set(active.flatMap(({ kind, id }) => (kind === 'package' ? [id] : []))),
      owned: ownedOf(active),
      status: row?.status ?? null,
      hasParentalControl: true,
      live: DEFAULT_CONFIGURATION.live,
    },
    storefrontId: row?.storefrontId,
    sessionsFrom: row?.sessionsFrom ?? null,
    from: now,
    until: Math.min(...turns.filter((turn) => turn > now), Number.POSITIVE_INFINITY),
  }
}

/** A right as the query above lists it. Milliseconds since the Unix epoch; `to` is null until further notice. */
type StoredHolding = [
  grantId: number,
  packageId: number | null,
  assetId: number | null,
  categoryId: number | null,
  channelId: number | null,
  from: number,
  to: number | null,
  slotSeconds: number | null,
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
]: StoredHolding): Holding {
  const time = { grantId, from, to: end ?? Number.POSITIVE_INFINITY, slotSeconds }
  if (packageId !== null) return { kind: 'package', id: packageId, ...time }
  if (assetId !== null) return { kind: 'assets', id: assetId, ...time }
  if (categoryId !== null) return { kind: 'categories', id: categoryId, ...time }
  return { kind: 'channels', id: channelId ?? 0, ...time }
}

/**
 * Names all that the predicates below look at but the content itself: viewers of one audience see the same catalogue, but
 * for where they stopped and what they have bought apart.
 */
export function audienceOf(viewer: Viewer): string {
  const { accountId, kid, maximumMoralityLevel, packageIds, hasParentalControl, live } = viewer
  const packages = accountId === null ? [] : [...packageIds].toSorted((one, other) => one - other)
  return `${accountId === null ? 'visitor' : 'account'} ${kid} ${maximumMoralityLevel} ${hasParentalControl} ${live.startOverEnabled} ${live.timeshiftOttConfig} ${packages.join(',')}`
}

/**
 * Whether the packages that the viewer holds cover content of these packages (V3-18). What stands in no package is not sold apart:
 * it plays for every account, as an operator's own library does before there is anything to buy.
 */
export function isIncluded(viewer: Viewer, packageIds: readonly number[], free = false): boolean {
  if (viewer.accountId === null) return false
  return free || packageIds.length === 0 || packageIds.some((id) => viewer.packageIds.has(id))
}

/** The right to what is played that the viewer has apart from packages (V3-18); undefined for none, and where a package covers it. */
export function tenureFor(viewer: Viewer, playable: Playable): Tenure | undefined {
  if (isIncluded(viewer, playable.packageIds, playable.free)) return undefined
  const { kind, id, serieId = null, seasonId = null } = playable
  return kind === 'channel'
    ? viewer.owned.channels.get(id)
    : tenureOf(viewer.owned, { id, serieId, seasonId })
}

/** Whether a title exists for the viewer: a child's profile sees nothing above its level, and nothing for adults (spec decision 27). */
export function isVisible(viewer: Limits, title: Rated): boolean {
  return !viewer.kid || !(title.adult || isAboveLevel(viewer, title))
}

/** {@link isVisible} as a condition on the columns of a query. */
export function levelCondition(viewer: Viewer, level: AnyPgColumn, adult: AnyPgColumn): SQL | undefined {
  if (!viewer.kid) return undefined
  return and(
    eq(adult, false),
    viewer.maximumMoralityLevel > 0 ? lte(level, viewer.maximumMoralityLevel) : undefined,
  )
}

/**
 * Whether the parental code must be given first: above the profile's level (A6-07), and always for adult content (A6-08);
 * never where there is no parental control (V1-11).
 */
export function needsParentalCode(viewer: Viewer, title: Rated): boolean {
  if (!viewer.hasParentalControl || viewer.hasGivenCode === true) return false
  return title.adult || isAboveLevel(viewer, title)
}

/** Whether a title's pictures are shown blurred (A6-08). */
export function isBlurred(viewer: Viewer, title: Rated): boolean {
  return viewer.hasParentalControl && title.adult
}

function isAboveLevel(viewer: Limits, { moralityLevel }: Rated): boolean {
  return viewer.maximumMoralityLevel > 0 && moralityLevel > viewer.maximumMoralityLevel
}

/**
 * Refuses to play, with a code that says why: -1 not signed in, -2409 suspended, -404 not for this child's profile, -1605
 * outside its validity, -11 or -1721 neither in the viewer's packages nor bought apart, -1612 the parental code is needed.
 *
 * @param now milliseconds since the Unix epoch.
 */
export function requirePlay(viewer: Viewer, playable: Playable, now: number): void {
  requireActiveAccount(viewer)
  if (!isVisible(viewer, playable)) throw new ServiceError('notFound')
  const { validFrom = 0, validTo = null } = playable
  if (validFrom > now || (validTo !== null && validTo <= now)) throw new ServiceError('resourceNotActive')
  if (!isIncluded(viewer, playable.packageIds, playable.free) && !tenureFor(viewer, playable)) {
    throw new ServiceError(playable.kind === 'channel' ? 'channelNotAllowed' : 'noViewingRights')
  }
  if (needsParentalCode(viewer, playable)) throw new ServiceError('invalidAccessCode')
}

/** Refuses who may not play anything at all now: visitors, and accounts that are not active. */
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
