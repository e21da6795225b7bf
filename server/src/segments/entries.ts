/**
 * The entries of a store of media or pictures, each under its id. The database refers to the entries
 * (docs/decisions/0034).
 */
export interface Entries {
  /** Location of the store, for people: a folder or an address, without credentials. */
  readonly where: string
  /** Returns the ids of all entries, without those in quarantine. */
  list(): Promise<string[]>
  /**
   * Returns whether an entry was stored before `before`, in milliseconds by the clock of the store. False if the
   * entry does not exist.
   */
  isOlder(id: string, before: number): Promise<boolean>
  /** Returns the text that identifies the store's database; undefined if the store has no such text. */
  owner(): Promise<string | undefined>
  /**
   * Writes the text that identifies the store's database.
   *
   * @param isFirst whether to write only if the store has no such text yet
   */
  setOwner(text: string, isFirst: boolean): Promise<void>
  /** Returns the ids of the entries in quarantine. */
  quarantined(): Promise<string[]>
  /**
   * Moves an entry into quarantine.
   *
   * @returns whether the entry was moved; false if the entry does not exist any more, or if the quarantine
   * contains an entry with the same id
   */
  quarantine(id: string): Promise<boolean>
  /**
   * Moves an entry out of quarantine, unless the store contains its id again. @returns whether the entry was moved
   */
  restore(id: string): Promise<boolean>
  /** Deletes an entry in quarantine. */
  deleteQuarantined(id: string): Promise<void>
}

/** Matches the id of an entry. */
export const ENTRY_ID = /^[0-9a-f]{32}$/

/** Name of the object that contains the identity of the store's database. */
export const OWNER = '.database'

/** Name of the folder or prefix of the quarantine: entries that the database does not know. */
export const QUARANTINE = '.quarantine'
