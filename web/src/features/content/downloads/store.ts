import type { Download } from './download.ts'
import { CURVE } from './unseal.ts'

const NAME = 'ondine-downloads'
const VERSION = 1

/** Object stores of the database: downloads by key, and single values by name. */
const DOWNLOADS = 'downloads'
const VALUES = 'values'

/** The key pair of this device. */
const DEVICE = 'device'
/** The profile that was active when this device was last online. */
const PROFILE = 'profile'

let opening: Promise<IDBDatabase> | undefined

/** Opens the database of the downloads. A failure is not cached, so the next call tries again. */
function open(): Promise<IDBDatabase> {
  if (opening !== undefined) return opening
  const opened = connect()
  opening = opened
  const watch = (database: IDBDatabase) => {
    database.onversionchange = () => {
      database.close()
      forget(opened)
    }
    // The browser closes the connection itself if the disk fails, or if the site's data is cleared.
    database.addEventListener('close', () => forget(opened))
  }
  opened.then(watch, () => forget(opened))
  return opened
}

/** Makes the next call open the database again, unless another call has opened it again already. */
function forget(opened: Promise<IDBDatabase>): void {
  if (opening === opened) opening = undefined
}

async function connect(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, VERSION)
  request.onupgradeneeded = () => {
    request.result.createObjectStore(DOWNLOADS, { keyPath: 'key' })
    request.result.createObjectStore(VALUES)
  }
  return await answerOf(request)
}

/** Begins a transaction on one object store. If the connection turns out to be closed, opens it again once. */
async function storeIn(name: string, mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const used = open()
  const database = await used
  try {
    return database.transaction(name, mode).objectStore(name)
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error
    forget(used)
    return (await open()).transaction(name, mode).objectStore(name)
  }
}

/** Returns all downloads of this device, of all profiles. */
export async function listDownloads(): Promise<Download[]> {
  return await answerOf((await storeIn(DOWNLOADS, 'readonly')).getAll())
}

export async function findDownload(key: string): Promise<Download | undefined> {
  return await answerOf((await storeIn(DOWNLOADS, 'readonly')).get(key))
}

/**
 * Stores a new download.
 *
 * @throws DOMException `ConstraintError` if a download with the same key exists; `QuotaExceededError` on a full disk, as
 * every write
 */
export async function addDownload(download: Download): Promise<void> {
  const store = await storeIn(DOWNLOADS, 'readwrite')
  store.add(download)
  await committed(store)
}

export async function deleteDownload(key: string): Promise<void> {
  const store = await storeIn(DOWNLOADS, 'readwrite')
  store.delete(key)
  await committed(store)
}

/**
 * Changes a download in one transaction, so that no change of another tab is lost.
 *
 * @param change returns the new fields; undefined to leave the download as it is
 * @returns the download after the change; undefined if there is no such download
 */
export async function changeDownload(
  key: string,
  change: (download: Download) => Partial<Download> | undefined,
): Promise<Download | undefined> {
  const store = await storeIn(DOWNLOADS, 'readwrite')
  const known: Download | undefined = await answerOf(store.get(key))
  const changes = known && change(known)
  if (known === undefined || changes === undefined) return known
  const changed = { ...known, ...changes }
  store.put(changed)
  await committed(store)
  return changed
}

/**
 * Returns the key pair of this device, which the first call creates. The private key is not extractable: scripts can
 * use it, but cannot copy it.
 */
export async function deviceKey(): Promise<CryptoKeyPair> {
  const known = await readValue<CryptoKeyPair>(DEVICE)
  if (known !== undefined) return known
  const made = await crypto.subtle.generateKey(CURVE, false, ['deriveBits'])
  const store = await storeIn(VALUES, 'readwrite')
  // Another tab may have created a key pair meanwhile, and the service may have sealed licences for it.
  const other: CryptoKeyPair | undefined = await answerOf(store.get(DEVICE))
  if (other !== undefined) return other
  store.put(made, DEVICE)
  await committed(store)
  return made
}

/** Returns the profile whose downloads this device shows without a connection; null after a sign-out. */
export async function activeProfile(): Promise<number | null> {
  return (await readValue<number>(PROFILE)) ?? null
}

/** Sets the profile whose downloads this device shows without a connection. */
export async function setActiveProfile(profileId: number | null): Promise<void> {
  const store = await storeIn(VALUES, 'readwrite')
  if (profileId === null) store.delete(PROFILE)
  else store.put(profileId, PROFILE)
  await committed(store)
}

async function readValue<Value>(name: string): Promise<Value | undefined> {
  return await answerOf((await storeIn(VALUES, 'readonly')).get(name))
}

async function answerOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return await new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('The database of the downloads failed')),
    )
  })
}

/**
 * Waits until the writes to a store are committed. The success of a request is not enough: on a full disk, the browser
 * aborts the transaction afterwards, and nothing is stored.
 *
 * @throws DOMException the error that aborted the transaction
 */
async function committed({ transaction }: IDBObjectStore): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new Error('The database of the downloads aborted a transaction')),
    )
  })
}
