import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { isErrno } from '../is-errno.ts'
import { joinInside, PathError } from '../paths.ts'

/** Folder with its content, by name in natural order. */
export interface ScannedFolder {
  /** Absolute path. */
  path: string
  name: string
  folders: ScannedFolder[]
  /** Names of the files. */
  files: string[]
  /** Whether every entry of the folder was read; not whether the folders inside are complete too. */
  isComplete: boolean
}

/** A file or folder of a library that was left out. */
export interface Problem {
  /** Absolute path of the file or folder. */
  path: string
  /** Line from 1, for text files. */
  line?: number
  reason: string
}

export interface Scan {
  root: ScannedFolder
  /** Folders that could not be read completely: files in them do not count as missing. */
  unread: string[]
  problems: Problem[]
}

/**
 * The character that replaces bytes which are not UTF-8 in the name of a file. A name with this character does not
 * open the file.
 */
const UNREADABLE = '\uFFFD'
const LIMITS = { depth: 8, entries: 500_000 } as const

/**
 * Folders of operating systems and network drives: hidden folders, recycle bins and snapshots. Their files are deleted
 * files or copies.
 */
const SYSTEM_FOLDER = /^(?:[.@].*|#recycle|#snapshot|\$recycle\.bin|system volume information|lost\+found)$/i

/** Returns whether an entry is hidden, or is a system folder. */
function isOfSystem(entry: Dirent): boolean {
  return entry.name.startsWith('.') || (entry.isDirectory() && SYSTEM_FOLDER.test(entry.name))
}

/** Returns whether a folder is missing, cannot be read, or contains nothing but hidden files and system folders. */
export async function isEmptyFolder(path: string): Promise<boolean> {
  try {
    return (await readdir(path, { withFileTypes: true })).every(isOfSystem)
  } catch (error) {
    if (!isErrno(error)) throw error
    return true
  }
}

/**
 * Scans a library's folders. Does not follow links, because they may lead out of the library or back into it.
 * Skips hidden files and system folders. Reports unreadable folders, and continues with the others.
 *
 * @param path absolute
 * @param mostEntries maximum number of files and folders that are read
 */
export async function scanFolder(
  path: string,
  signal: AbortSignal,
  mostEntries: number = LIMITS.entries,
): Promise<Scan> {
  const problems: Problem[] = []
  const unread: string[] = []
  let left = mostEntries
  const list = async (path: string): Promise<Dirent[] | undefined> => {
    try {
      const entries = await readdir(path, { withFileTypes: true })
      return entries.sort((a, b) => a.name.localeCompare(b.name, 'fr', { numeric: true }))
    } catch (error) {
      unread.push(path)
      problems.push({ path, reason: error instanceof Error ? error.message : String(error) })
      return undefined
    }
  }
  const read = async (path: string, name: string, depth: number): Promise<ScannedFolder> => {
    signal.throwIfAborted()
    const entries = await list(path)
    const folder: ScannedFolder = { path, name, folders: [], files: [], isComplete: entries !== undefined }
    const leaveOut = (problem: Problem): void => {
      folder.isComplete = false
      problems.push(problem)
    }
    for (const entry of entries ?? []) {
      left -= 1
      if (left < 0) {
        unread.push(path)
        leaveOut({
          path,
          reason: `there are more than ${mostEntries} files and folders in all; the others were not read`,
        })
        break
      }
      if (isOfSystem(entry)) continue
      const inside = childPath(path, entry.name)
      if (entry.name.includes(UNREADABLE))
        leaveOut({ path: inside ?? path, reason: 'its name is not written in UTF-8; rename it' })
      else if (inside === undefined)
        leaveOut({ path, reason: 'it contains an entry without a valid file name' })
      else if (entry.isSymbolicLink()) leaveOut({ path: inside, reason: 'links are not followed' })
      else if (entry.isFile()) folder.files.push(entry.name)
      else if (!entry.isDirectory()) leaveOut({ path: inside, reason: 'it is neither a file nor a folder' })
      else if (depth < LIMITS.depth) folder.folders.push(await read(inside, entry.name, depth + 1))
      else leaveOut({ path: inside, reason: 'it is nested too deep' })
    }
    return folder
  }
  const name = path.split('/').findLast((part) => part !== '') ?? path
  return { root: await read(path, name, 0), unread, problems }
}

function childPath(folder: string, name: string): string | undefined {
  try {
    return joinInside(folder, name)
  } catch (error) {
    if (error instanceof PathError) return undefined
    throw error
  }
}
