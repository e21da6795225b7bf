/** A right that an account has outside of its packages. Times are milliseconds since the Unix epoch. */
export interface Tenure {
  grantId: number
  /**
   * When the right ends; infinite for an unlimited right. A rental that was not played yet must be started before
   * this time.
   */
  until: number
  /** Only for a rental that was not played yet: how long it may be played after the first play, in seconds. */
  slotSeconds: number | null
  /** Whether the right is a rental, played or not. Other rights end at a time that the play does not change. */
  isRental: boolean
  /** Whether the account may download the content. */
  downloads: boolean
  /** Greatest height of video that the right allows, in lines; null for no limit. */
  maximumHeight: number | null
}

/**
 * Rights of an account outside of its packages, such as rented titles and seasons, and channels bought for a
 * limited time. Each call adds these rights to the catalogue view that the whole audience shares, so that an
 * account with rentals needs no separate view.
 */
export interface Owned {
  assets: ReadonlyMap<number, Tenure>
  /** Series and seasons, by the id of their category. */
  categories: ReadonlyMap<number, Tenure>
  channels: ReadonlyMap<number, Tenure>
}

/** No rights outside of packages. */
export const NOTHING_OWNED: Owned = { assets: new Map(), categories: new Map(), channels: new Map() }

/** A right as read from the database: its target and its period. */
export interface Holding {
  kind: 'package' | keyof Owned
  id: number
  grantId: number
  from: number
  to: number
  /**
   * How long the content may be watched after the first play, in seconds. Null if there is no such limit, or if
   * the content was played already.
   */
  slotSeconds: number | null
  isRental: boolean
  downloads: boolean
  maximumHeight: number | null
}

/**
 * Returns the rights of `holdings` that are outside of packages. If several rights give the same content, returns
 * only the right that is used first ({@link goesFirst}).
 */
export function ownedOf(holdings: readonly Holding[]): Owned {
  if (holdings.every(({ kind }) => kind === 'package')) return NOTHING_OWNED
  const owned = { assets: new Map(), categories: new Map(), channels: new Map() } satisfies Owned
  for (const { kind, id, grantId, to, slotSeconds, isRental, downloads, maximumHeight } of holdings) {
    if (kind === 'package') continue
    const known: Tenure | undefined = owned[kind].get(id)
    const tenure: Tenure = { grantId, until: to, slotSeconds, isRental, downloads, maximumHeight }
    if (known === undefined || goesFirst(tenure, known)) owned[kind].set(id, tenure)
  }
  return owned
}

/**
 * Returns whether the right `one` is used before `other`, if both give the same content. A started right goes
 * before a right that is not started. Of two started rights, the right that ends later goes first. Of two rights
 * that are not started, the right with the earlier deadline for its start goes first.
 */
function goesFirst(one: Tenure, other: Tenure): boolean {
  const hasBegun = (tenure: Tenure) => tenure.slotSeconds === null
  if (hasBegun(one) !== hasBegun(other)) return hasBegun(one)
  return hasBegun(one) ? one.until > other.until : one.until < other.until
}

/** The ids of a title, its season and its series. A right can refer to each of them. */
export interface OwnedTitle {
  id: number
  serieId: number | null
  seasonId: number | null
}

/**
 * Returns the right to a title outside of packages: to the title itself, to its season, or to its series. Of several
 * rights, returns the right that is used first ({@link goesFirst}).
 */
export function tenureOf(
  { assets, categories }: Owned,
  { id, serieId, seasonId }: OwnedTitle,
): Tenure | undefined {
  // Lists call this function for every title. Skip the lookups if the account has no right to a season or a
  // series.
  if (categories.size === 0) return assets.get(id)
  const all = [assets.get(id), categories.get(seasonId ?? 0), categories.get(serieId ?? 0)]
  return all.reduce((best, next) => (next && (!best || goesFirst(next, best)) ? next : best))
}
