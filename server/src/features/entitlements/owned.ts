/** A right to something that an account has apart from its packages. Times are milliseconds since the Unix epoch. */
export interface Tenure {
  grantId: number
  /** When it ends, or until when it has to be begun; infinite until further notice. */
  until: number
  /** Of a rental that nobody has played yet: how long it will play, in seconds. */
  slotSeconds: number | null
}

/**
 * What an account has apart from its packages: rented titles, seasons, channels for a time. It is laid over what everyone
 * of an audience sees alike, so that there are no more views than sets of packages.
 */
export interface Owned {
  assets: ReadonlyMap<number, Tenure>
  /** Series and seasons, by the id of their category. */
  categories: ReadonlyMap<number, Tenure>
  channels: ReadonlyMap<number, Tenure>
}

/** Of who has bought nothing apart. */
export const NOTHING_OWNED: Owned = { assets: new Map(), categories: new Map(), channels: new Map() }

/** A right as it is read: what it opens, and its time. */
export interface Holding {
  kind: 'package' | keyof Owned
  id: number
  grantId: number
  from: number
  to: number
  /** Null for what has no slot, or has begun it. */
  slotSeconds: number | null
}

/** What of these rights holds now, apart from packages. */
export function ownedOf(holdings: readonly Holding[]): Owned {
  if (holdings.every(({ kind }) => kind === 'package')) return NOTHING_OWNED
  const owned = { assets: new Map(), categories: new Map(), channels: new Map() } satisfies Owned
  for (const { kind, id, grantId, to, slotSeconds } of holdings) {
    if (kind === 'package') continue
    const known: Tenure | undefined = owned[kind].get(id)
    const tenure: Tenure = { grantId, until: to, slotSeconds }
    if (known === undefined || goesFirst(tenure, known)) owned[kind].set(id, tenure)
  }
  return owned
}

/** Of two rights to the same, the one that is used: what has begun before what has not, then what has to be begun first. */
export function goesFirst(one: Tenure, other: Tenure): boolean {
  const hasBegun = (tenure: Tenure) => tenure.slotSeconds === null
  if (hasBegun(one) !== hasBegun(other)) return hasBegun(one)
  return hasBegun(one) ? one.until > other.until : one.until < other.until
}

/** What of an account's own a title is opened by. */
export interface OwnedTitle {
  id: number
  serieId: number | null
  seasonId: number | null
}

/** The right to a title that an account has apart from its packages: to itself, its season, or its series. */
export function tenureOf(
  { assets, categories }: Owned,
  { id, serieId, seasonId }: OwnedTitle,
): Tenure | undefined {
  if (assets.size === 0 && categories.size === 0) return undefined
  const all = [assets.get(id), categories.get(seasonId ?? 0), categories.get(serieId ?? 0)]
  return all.reduce((best, next) => (next && (!best || goesFirst(next, best)) ? next : best))
}
