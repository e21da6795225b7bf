import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isErrno } from '../is-errno.ts'
import { ENTRY_ID, type Entries, OWNER, QUARANTINE } from './entries.ts'

/** Layout of the entries in a folder. */
interface FolderLayout {
  pathOf(id: string): string
  /** Returns the ids of all entries. */
  list(): Promise<string[]>
  /** Returns when the entry at `path` was stored, in milliseconds since the Unix epoch. */
  storedAt(path: string): Promise<number>
}

/** Returns the entries of a folder. The quarantine is a folder inside this folder. */
export function folderEntries(folder: string, { pathOf, list, storedAt }: FolderLayout): Entries {
  const marker = join(folder, OWNER)
  const held = (id: string): string => join(folder, QUARANTINE, id)
  return {
    where: folder,
    list,
    isOlder: async (id, before) => {
      const at = await unlessMissing(storedAt(pathOf(id)))
      return at !== undefined && at < before
    },
    owner: async () => (await unlessMissing(readFile(marker, 'utf8')))?.trim(),
    setOwner: async (text, isFirst) => {
      if (!isFirst) {
        const aside = `${marker}.${randomUUID()}`
        await writeFile(aside, `${text}\n`, { mode: 0o640 })
        await rename(aside, marker)
        return
      }
      try {
        await writeFile(marker, `${text}\n`, { flag: 'wx', mode: 0o640 })
      } catch (error) {
        if (!isErrno(error, 'EEXIST')) throw error
      }
    },
    quarantined: async () => await idsIn(join(folder, QUARANTINE)),
    quarantine: async (id) => await moved(pathOf(id), held(id)),
    restore: async (id) => await moved(held(id), pathOf(id)),
    deleteQuarantined: async (id) => await rm(held(id), { recursive: true, force: true }),
  }
}

/** Moves an entry. @returns false if the entry does not exist any more, or if `to` exists */
export async function moved(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true, mode: 0o750 })
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) return false
    throw error
  }
}

/** Returns the names in a folder that are ids of entries. */
export async function idsIn(folder: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => ENTRY_ID.test(name))
}

/** Returns the names in a folder; empty if the folder does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await unlessMissing(readdir(folder))) ?? []
}

/** Returns the result of `look`; undefined if the file or folder does not exist. */
export async function unlessMissing<Found>(look: Promise<Found>): Promise<Found | undefined> {
  try {
    return await look
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
