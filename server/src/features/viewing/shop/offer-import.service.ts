import { sql } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../database/connection.ts'
import type { YamlFault } from '../../../read-yaml.ts'
import { packages } from '../../rights/entitlements/entitlements.table.ts'
import { ensurePackage, fillPackage } from '../../rights/entitlements/packages.service.ts'
import type { OfferTerms, Opens } from '../../rights/offers/offer-terms.ts'
import { type PutOffers, putOffers, type WantedOffer } from '../../rights/offers/offers.service.ts'
import { offers } from '../../rights/offers/offers.table.ts'
import { type ContentNames, findContent, type NamedContent } from './named-content.service.ts'
import { type OfferFile, readOfferFile, recurrenceOf, type WrittenOffer } from './offer-file.ts'

/** Result of an import of offers. If there is any fault, nothing was changed. */
export interface OfferImport extends PutOffers {
  faults: YamlFault[]
}

const HOUR = 3600

/** Aborts the transaction of an import that has faults. */
class FaultyFile extends Error {
  readonly faults: YamlFault[]

  constructor(faults: YamlFault[]) {
    super('the file has faults')
    this.faults = faults
  }
}

/**
 * Imports a file of packages and offers (docs/operating.md), as a whole or not at all. Packages and offers
 * that are not in the file are not changed. A repeated import changes only the differences.
 */
export async function importOffers(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  source: string,
): Promise<OfferImport> {
  const nothing = { added: [], changed: [], unchanged: [] }
  const file = readOfferFile(source)
  if (Array.isArray(file)) return { ...nothing, faults: file }
  try {
    const put = await db.transaction(async (tx) => {
      // Allows one import at a time, so that the next import sees the result of this one.
      await tx.execute(sql`lock table ${offers} in share row exclusive mode`)
      return await takeFile(tx, file, clock.now())
    })
    return { ...put, faults: [] }
  } catch (error) {
    if (error instanceof FaultyFile) return { ...nothing, faults: error.faults }
    throw error
  }
}

async function takeFile(tx: Transaction, { values, lineOf }: OfferFile, now: number): Promise<PutOffers> {
  const faults: YamlFault[] = []
  const fault = (path: readonly PropertyKey[], reason: string) =>
    void faults.push({ line: lineOf(path), reason: `${path.join('.')} ${reason}` })
  const contents = new FileContents(await findContent(tx, namesIn(values)), fault)
  const packageIds = new Map(
    (await tx.select({ id: packages.id, key: packages.key }).from(packages)).map(({ id, key }) => [key, id]),
  )
  for (const [index, { key, name, recordingHours, titles, channels }] of values.packages.entries()) {
    const path = ['packages', index]
    const id = await ensurePackage(tx, key, name, recordingHours)
    packageIds.set(key, id)
    await fillPackage(tx, id, {
      ...contents.titlesAt([...path, 'titles'], titles),
      channelIds: channels.flatMap((number, at) => contents.channelAt([...path, 'channels', at], number)),
    })
  }
  const stored = await tx.select({ key: offers.key, type: offers.type }).from(offers)
  const types = new Map(stored.map(({ key, type }) => [key, type]))
  for (const { key, type } of values.offers) if (!types.has(key)) types.set(key, type)
  const wanted: WantedOffer[] = []
  for (const [index, offer] of values.offers.entries()) {
    const path = ['offers', index]
    const known = types.get(offer.key)
    if (known !== offer.type) fault([...path, 'type'], `cannot change: ${offer.key} is of type ${known}`)
    const named = {
      excludes: offer.excludes,
      requires: offer.type === 'subscription' ? offer.requires : [],
    }
    for (const [list, keys] of Object.entries(named))
      for (const [at, each] of keys.entries())
        if (types.get(each) !== 'subscription') fault([...path, list, at], `names no subscription: ${each}`)
    const of = await subjectOf(tx, offer, path, packageIds, contents, fault)
    if (of) wanted.push({ key: offer.key, type: offer.type, terms: termsOf(offer, of) })
  }
  if (faults.length > 0) throw new FaultyFile(faults.toSorted((one, other) => one.line - other.line))
  return await putOffers(tx, wanted, now)
}

type Say = (path: readonly PropertyKey[], reason: string) => void

/** Finds the titles, channels and seasons in a file. Unknown and ambiguous names become faults. */
class FileContents {
  readonly #names: ContentNames
  readonly #fault: Say

  constructor(names: ContentNames, fault: Say) {
    this.#names = names
    this.#fault = fault
  }

  titleAt(path: readonly PropertyKey[], name: string): NamedContent[] {
    const found = this.#names.titles.get(name) ?? []
    if (found.length === 1) return [...found]
    this.#fault(
      path,
      found.length === 0 ? `names no title: ${name}` : `names ${found.length} titles: ${name}`,
    )
    return []
  }

  titlesAt(
    path: readonly PropertyKey[],
    names: readonly string[],
  ): { assetIds: number[]; categoryIds: number[] } {
    const all = names.flatMap((name, at) => this.titleAt([...path, at], name))
    return {
      assetIds: all.flatMap((content) => ('assetId' in content ? [content.assetId] : [])),
      categoryIds: all.flatMap((content) => ('categoryId' in content ? [content.categoryId] : [])),
    }
  }

  channelAt(path: readonly PropertyKey[], number: number): number[] {
    const id = this.#names.channels.get(number)
    if (id === undefined) this.#fault(path, `names no channel: ${number}`)
    return id === undefined ? [] : [id]
  }

  seasonAt(path: readonly PropertyKey[], { series, number }: { series: string; number: number }): number[] {
    const [found] = this.titleAt([...path, 'series'], series)
    if (found === undefined) return []
    const id = 'categoryId' in found ? this.#names.seasonOf(found.categoryId, number) : undefined
    if (id === undefined) this.#fault([...path, 'number'], `names no season of ${series}: ${number}`)
    return id === undefined ? [] : [id]
  }
}

/** Content that an offer opens, and its packages. */
interface Subject {
  opens: Opens
  packageIds: number[]
}

/**
 * Returns the content of a written offer. Content in no package can be played by every account, so such
 * content is put into a package of this offer.
 */
async function subjectOf(
  tx: Transaction,
  offer: WrittenOffer,
  path: readonly PropertyKey[],
  packageIds: ReadonlyMap<string, number>,
  contents: FileContents,
  fault: Say,
): Promise<Subject | undefined> {
  const packageAt = (at: readonly PropertyKey[], key: string): number[] => {
    const id = packageIds.get(key)
    if (id === undefined) fault(at, `names no package: ${key}`)
    return id === undefined ? [] : [id]
  }
  const ownPackage = async (fill: { assetIds?: number[]; categoryIds?: number[]; channelIds?: number[] }) => {
    const id = await ensurePackage(tx, `offer:${offer.key}`, offer.name)
    await fillPackage(tx, id, { assetIds: [], categoryIds: [], channelIds: [], ...fill })
    return [id]
  }
  if (offer.type === 'subscription') {
    const held = offer.packages.flatMap((key, at) => packageAt([...path, 'packages', at], key))
    return { opens: { kind: 'packages' }, packageIds: held }
  }
  if (offer.type === 'ppv') {
    if (offer.channel !== undefined) {
      const [channelId] = contents.channelAt([...path, 'channel'], offer.channel)
      if (channelId === undefined) return undefined
      const opens = { kind: 'channel', channelId } as const
      return { opens, packageIds: await ownPackage({ channelIds: [channelId] }) }
    }
    const { assetIds, categoryIds } = contents.titlesAt([...path, 'event'], [offer.event ?? ''])
    if (categoryIds.length > 0) fault([...path, 'event'], 'must not be a series')
    return { opens: opensTitle(assetIds), packageIds: await ownPackage({ assetIds }) }
  }
  if (offer.class !== undefined)
    return { opens: { kind: 'title' }, packageIds: packageAt([...path, 'class'], offer.class) }
  if (offer.season !== undefined) {
    const [categoryId] = contents.seasonAt([...path, 'season'], offer.season)
    if (categoryId === undefined) return undefined
    return {
      opens: { kind: 'season', categoryId },
      packageIds: await ownPackage({ categoryIds: [categoryId] }),
    }
  }
  const fill = contents.titlesAt([...path, 'titles'], offer.titles ?? [])
  const opens = opensTitle(fill.categoryIds.length === 0 ? fill.assetIds : [])
  return { opens, packageIds: await ownPackage(fill) }
}

/** Returns the right to a title of the buyer's choice, or to the only title. */
function opensTitle([assetId, ...others]: readonly number[]): Opens {
  return { kind: 'title', ...(assetId !== undefined && others.length === 0 && { assetId }) }
}

function termsOf(offer: WrittenOffer, { opens, packageIds }: Subject): OfferTerms {
  const isSubscription = offer.type === 'subscription'
  const { introduction } = isSubscription ? offer : { introduction: null }
  return {
    names: offer.name,
    synopses: offer.synopsis,
    conditions: offer.conditions,
    cents: offer.price,
    recurrence: recurrenceOf(offer),
    setupCents: isSubscription ? offer.setup : 0,
    trialDays: isSubscription ? offer.trialDays : 0,
    introduction: introduction && { cents: introduction.price, periods: introduction.periods },
    slotSeconds: isSubscription || offer.hours === undefined ? null : offer.hours * HOUR,
    opens,
    packageIds,
    plan: isSubscription ? offer.plan : null,
    requires: isSubscription ? offer.requires : [],
    excludes: offer.excludes,
    once: offer.once,
    downloads: offer.downloads,
    ...(offer.maximumHeight !== null && { maximumHeight: offer.maximumHeight }),
    validFrom: offer.validFrom,
    validTo: offer.validTo,
    externalIds: offer.externalIds,
  }
}

/** Returns all names of titles and numbers of channels in a file. */
function namesIn({ packages: packs, offers: all }: OfferFile['values']): {
  titles: string[]
  channels: number[]
} {
  const titles = packs.flatMap((pack) => pack.titles)
  const channels = packs.flatMap((pack) => pack.channels)
  for (const offer of all) {
    if (offer.type === 'transactional') titles.push(...(offer.titles ?? []), offer.season?.series ?? '')
    if (offer.type === 'ppv') {
      titles.push(offer.event ?? '')
      if (offer.channel !== undefined) channels.push(offer.channel)
    }
  }
  return { titles, channels }
}
