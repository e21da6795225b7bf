/** Entries of a store that a database maintains: media or pictures, each under its id (docs/decisions/0034). */
export interface Entries {
  /** Where the store is, for people: a folder or an address, without credentials. */
  readonly where: string
  /** Returns the ids of all entries, without those in quarantine. */
  list(): Promise<string[]>
  /**
   * Returns whether an entry was stored before this time, in milliseconds by the clock of the store. False if it does
   * not exist.
   */
  isOlder(id: string, before: number): Promise<boolean>
  /** Returns the text that names the store's database; undefined if the store has none. */
  owner(): Promise<string | undefined>
  /** Writes the text that names the store's database. @param isFirst whether to keep a text that is there already */
  setOwner(text: string, isFirst: boolean): Promise<void>
  /** Returns the ids in quarantine. */
  quarantined(): Promise<string[]>
  /**
   * Moves an entry into quarantine. @returns whether it was moved; false if it no longer exists, or if the quarantine
   * has an entry with the same id
   */
  quarantine(id: string): Promise<boolean>
  /** Moves an entry out of quarantine, unless it is in the store again. @returns whether it was moved */
  restore(id: string): Promise<boolean>
  /** Deletes an entry that is in quarantine. */
  deleteQuarantined(id: string): Promise<void>
}

/** Ids of entries. */
export const ENTRY_ID = /^[0-9a-f]{32}$/

/** Name of the text in a store that says to which database the store belongs. */
export const OWNER = '.database'

/** Name of the place for entries that the database does not know. */
export const QUARANTINE = '.quarantine'
