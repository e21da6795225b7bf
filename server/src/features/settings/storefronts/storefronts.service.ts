import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { type Settings, SettingsError } from '../../../env.ts'
import type { Storefront } from '../../../http/operations.ts'
import { NetworkTable, parseNetwork } from './networks.ts'
import { storefronts } from './storefronts.table.ts'

/** API key of the first storefront in a new installation, with and without the demonstration. */
export const FIRST_STOREFRONT = { demonstration: 'demo', ordinary: 'ondine' }

export type StorefrontRow = typeof storefronts.$inferSelect

/** Fields of a new storefront. */
export interface NewStorefront {
  apiKey: string
  name: string
  demonstration?: boolean
  hosts?: string[]
  networks?: string[]
}

/** Fields of a storefront that can change. Omitted fields stay. */
export type StorefrontChange = Partial<Pick<StorefrontRow, 'name' | 'hosts' | 'networks'>>

/** Thrown if a storefront cannot be created, changed or removed. The message gives the reason. */
export class StorefrontError extends Error {
  override name = 'StorefrontError'
}

const NOT_A_DEMONSTRATION =
  'DEMO is on, but this installation is not a demonstration. Set DEMO=false, because script/start switches it on otherwise. For a demonstration beside this installation, set a DATA_DIR and a DATABASE_URL of its own.'

/** The storefronts of the installation, in memory, because every call needs its storefront. */
export class Storefronts {
  readonly #db: Database
  /** Whether the demonstration is on (`DEMO`). If not, no storefront counts as one of the demonstration. */
  readonly #isDemonstrationOn: boolean
  /** Storefronts that the demonstration has created, even if the demonstration is off. */
  #demonstration: StorefrontRow[] = []
  #all: StorefrontRow[] = []
  #byKey = new Map<string, StorefrontRow>()
  #byHost = new Map<string, StorefrontRow>()
  #byNetwork = new NetworkTable<StorefrontRow>([])
  #isNew = false

  private constructor(db: Database, isDemonstrationOn: boolean) {
    this.#db = db
    this.#isDemonstrationOn = isDemonstrationOn
  }

  /**
   * Loads the storefronts. Creates the first storefront of a new installation.
   *
   * @param demonstration whether the demonstration is on (`DEMO`)
   * @param isUnused whether the installation has no content yet. Its only storefront then becomes the demonstration's
   * storefront, because a command before the first start may have created it.
   * @throws SettingsError if the demonstration is on, but another installation uses the database
   */
  static async load(
    db: Database,
    demonstration: boolean,
    isUnused: () => Promise<boolean>,
  ): Promise<Storefronts> {
    const loaded = new Storefronts(db, demonstration)
    await loaded.refresh()
    const apiKey = demonstration ? FIRST_STOREFRONT.demonstration : FIRST_STOREFRONT.ordinary
    if (loaded.list().length === 0) {
      await loaded.create({ apiKey, name: 'Ondine', demonstration })
      loaded.#isNew = true
    }
    if (!demonstration || loaded.first().demonstration) return loaded
    if (loaded.list().length > 1 || !(await isUnused())) throw new SettingsError(NOT_A_DEMONSTRATION)
    await db.update(storefronts).set({ apiKey, demonstration }).where(eq(storefronts.id, loaded.first().id))
    await loaded.refresh()
    return loaded
  }

  /** Returns the storefront of an API key; without an API key, the first storefront. */
  of(apiKey: string | undefined): StorefrontRow | undefined {
    return apiKey === undefined ? this.first() : this.#byKey.get(apiKey)
  }

  /** Whether the database had no storefront when it was loaded, so that a new installation begins with it. */
  get isNew(): boolean {
    return this.#isNew
  }

  first(): StorefrontRow {
    const [first] = this.#all
    if (!first) throw new Error('There is no storefront.')
    return first
  }

  /** Returns the name of a storefront; empty for an unknown id. */
  nameOf(id: number): string {
    return this.#all.find((row) => row.id === id)?.name ?? ''
  }

  /** Returns the API key of a storefront; empty for an unknown id. */
  apiKeyOf(id: number): string {
    return this.#all.find((row) => row.id === id)?.apiKey ?? ''
  }

  list(): readonly StorefrontRow[] {
    return this.#all
  }

  /** Returns the storefronts that the demonstration has created, even if the demonstration is off. */
  ofDemonstration(): readonly StorefrontRow[] {
    return this.#demonstration
  }

  /** Returns the storefront with a host name; undefined if there is none. */
  ofHost(host: string): Storefront | undefined {
    return this.#byHost.get(host.toLowerCase())
  }

  /** Returns the storefront whose network contains an address; undefined if there is none (V7-32). */
  ofAddress(address: string): Storefront | undefined {
    return this.#byNetwork.ownerOf(address)
  }

  /** Whether a storefront has networks, so that the client's address can choose the storefront. */
  get hasNetworks(): boolean {
    return !this.#byNetwork.isEmpty
  }

  /**
   * Creates a storefront.
   *
   * @throws StorefrontError if a field is invalid, or another storefront has the same API key, host or network
   */
  async create(wanted: NewStorefront): Promise<StorefrontRow> {
    const { apiKey, name, demonstration = false } = wanted
    const hosts = (wanted.hosts ?? []).map((host) => host.toLowerCase())
    const networks = wanted.networks ?? []
    if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(apiKey))
      throw new StorefrontError(`${apiKey} is not an api key: use up to 40 small letters, digits and dashes.`)
    this.#check({ name, hosts, networks })
    const [row] = await this.#db
      .insert(storefronts)
      .values({ apiKey, name, demonstration, hosts, networks })
      .onConflictDoNothing()
      .returning()
    await this.refresh()
    if (!row) throw new StorefrontError(`There is a storefront ${apiKey} already.`)
    return row
  }

  /**
   * Changes fields of a storefront.
   *
   * @throws StorefrontError if there is nothing to change, if a field is invalid, or if another storefront has the
   * same host or network
   */
  async change({ id }: StorefrontRow, change: StorefrontChange): Promise<void> {
    if (Object.keys(change).length === 0) throw new StorefrontError('Give a name, hosts or networks.')
    const fields = {
      ...change,
      ...(change.hosts && { hosts: change.hosts.map((host) => host.toLowerCase()) }),
    }
    this.#check(fields, id)
    await this.#db.update(storefronts).set(fields).where(eq(storefronts.id, id))
    await this.refresh()
  }

  /** Checks fields of the storefront `ownId`, or of a new one. @throws StorefrontError if one cannot be stored */
  #check({ name, hosts = [], networks = [] }: StorefrontChange, ownId?: number): void {
    if (name !== undefined && (name.trim() === '' || name.length > 60))
      throw new StorefrontError('Give a name of up to 60 characters.')
    const others = this.#all.filter(({ id }) => id !== ownId)
    for (const host of hosts) {
      if (!/^[a-z0-9.-]{1,253}$/.test(host)) throw new StorefrontError(`${host} is not a host name.`)
      if (others.some((row) => row.hosts.includes(host)))
        throw new StorefrontError(`${host} shows another storefront already.`)
    }
    for (const network of networks) {
      if (!parseNetwork(network))
        throw new StorefrontError(`${network} is not a network such as 192.0.2.0/24.`)
      if (others.some((row) => row.networks.includes(network)))
        throw new StorefrontError(`${network} leads to another storefront already.`)
    }
  }

  /** Reloads the storefronts. */
  async refresh(): Promise<void> {
    const stored = await this.#db.select().from(storefronts).orderBy(storefronts.id)
    this.#demonstration = stored.filter(({ demonstration }) => demonstration)
    const rows = stored.map((row) => ({
      ...row,
      demonstration: row.demonstration && this.#isDemonstrationOn,
    }))
    this.#all = rows
    this.#byKey = new Map(rows.map((row) => [row.apiKey, row]))
    this.#byHost = new Map(rows.flatMap((row) => row.hosts.map((host) => [host, row])))
    this.#byNetwork = new NetworkTable(
      rows.flatMap((row) =>
        row.networks.flatMap((written) => {
          const network = parseNetwork(written)
          return network ? [{ network, owner: row }] : []
        }),
      ),
    )
  }
}

/**
 * Returns a hint if the demonstration is off, but the installation has storefronts that the demonstration created.
 * Either the installation began as a demonstration, or the demonstration was started in an ordinary installation, which
 * was once possible. Undefined otherwise.
 */
export function formerDemonstration(
  { DEMO }: Pick<Settings, 'DEMO'>,
  all: Pick<Storefronts, 'first' | 'ofDemonstration'>,
): string | undefined {
  const [earliest] = all.ofDemonstration()
  if (DEMO || !earliest) return undefined
  if (earliest.id !== all.first().id) {
    const removals = all.ofDemonstration().map(({ apiKey }) => `\`storefronts remove ${apiKey}\``)
    return `the demonstration was once started in this installation. Withdraw its offers and vouchers (\`offers withdraw\`, \`vouchers withdraw\`). Then remove its storefronts: ${removals.join(', ')}`
  }
  return 'this installation was begun as a demonstration, whose titles, offers, vouchers and sales are still in it. Begin your own service with a DATA_DIR and a DATABASE_URL of its own'
}

/**
 * Locks the row of a storefront until the transaction `tx` ends. The lock prevents new accounts in the storefront,
 * because the row of an account refers to its storefront.
 */
export async function holdStorefront(tx: Transaction, id: number): Promise<void> {
  await tx.select().from(storefronts).where(eq(storefronts.id, id)).for('update')
}

/** Deletes a storefront. The database also deletes the storefront's documents and texts. */
export async function deleteStorefront(tx: Transaction, id: number): Promise<void> {
  await tx.delete(storefronts).where(eq(storefronts.id, id))
}
