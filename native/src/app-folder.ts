import { type Directory, Encoding, Filesystem } from '@capacitor/filesystem'

/** A file of a folder. */
interface FolderFile {
  /** Path within the folder, such as `media/7/v720/1.m4s`. */
  path: string
  bytes: number
  /** In milliseconds since the Unix epoch. */
  changedAt: number
}

/** Suffix of incomplete files. */
const PART = '.part'

/** Error codes of the plugin on a device: for a missing file, and for any failure of the file system. */
const MISSING_CODE = 'OS-PLUG-FILE-0008'
const FAILED_CODE = 'OS-PLUG-FILE-0013'

/** Thrown when the device has no room for a file. */
export class FolderFullError extends Error {
  override readonly name = 'FolderFullError'
}

/** A folder of the app on the device. Paths are relative to it. */
export interface AppFolder {
  /** Returns the text of a file; undefined if there is no such file. */
  readText(path: string): Promise<string | undefined>
  /** @throws FolderFullError */
  writeText(path: string, text: string): Promise<void>
  /** Returns the content of a file in base64; undefined if there is no such file. */
  readBase64(path: string): Promise<string | undefined>
  /** Returns the content of a file; undefined if there is no such file. */
  readBytes(path: string): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** @throws FolderFullError */
  writeBytes(path: string, bytes: Uint8Array): Promise<void>
  /** Returns all files, including those in subfolders, without incomplete files. */
  list(): Promise<FolderFile[]>
  /** Deletes a file. Does nothing if the file does not exist. */
  delete(path: string): Promise<void>
  /** Deletes the folder with all its files. */
  clear(): Promise<void>
}

/**
 * Returns a folder of the app. Files are written under a temporary name and then renamed. So a file is always
 * complete, even if the app was killed during a write.
 */
export function appFolder(directory: Directory, folder: string): AppFolder {
  const at = (path: string) => ({ directory, path: `${folder}/${path}` })

  async function write(path: string, data: string, encoding?: Encoding): Promise<void> {
    const part = at(path + PART)
    try {
      await Filesystem.writeFile({ ...part, data, recursive: true, ...(encoding && { encoding }) })
      await Filesystem.rename({ from: part.path, to: at(path).path, directory, toDirectory: directory })
    } catch (error) {
      await remove(path + PART)
      throw isFull(error) ? new FolderFullError('The device has no room for a file', { cause: error }) : error
    }
  }

  async function read(path: string, encoding?: Encoding): Promise<string | undefined> {
    const found = await ifThere(Filesystem.readFile({ ...at(path), ...(encoding && { encoding }) }))
    if (found === undefined) return undefined
    // The plugin returns blobs only in a browser, and only for files that were written as blobs.
    if (typeof found.data !== 'string') throw new TypeError('The file is no text')
    return found.data
  }

  async function remove(path: string): Promise<void> {
    await ifThere(Filesystem.deleteFile(at(path)))
  }

  async function filesIn(path: string): Promise<FolderFile[]> {
    const found = await ifThere(Filesystem.readdir({ directory, path: path === '' ? folder : at(path).path }))
    const files: FolderFile[] = []
    for (const { name, type, size, mtime } of found?.files ?? []) {
      const inner = path === '' ? name : `${path}/${name}`
      if (type === 'directory') files.push(...(await filesIn(inner)))
      else if (!name.endsWith(PART)) files.push({ path: inner, bytes: size, changedAt: mtime })
    }
    return files
  }

  return {
    readText: async (path) => await read(path, Encoding.UTF8),
    writeText: async (path, text) => await write(path, text, Encoding.UTF8),
    readBase64: async (path) => await read(path),
    readBytes: async (path) => {
      const text = await read(path)
      return text === undefined ? undefined : fromBase64(text)
    },
    writeBytes: async (path, bytes) => await write(path, toBase64(bytes)),
    list: async () => await filesIn(''),
    delete: remove,
    clear: async () => {
      await ifThere(Filesystem.rmdir({ directory, path: folder, recursive: true }))
    },
  }
}

/** Returns the result of an operation on a file; undefined if the file does not exist. */
async function ifThere<Result>(operation: Promise<Result>): Promise<Result | undefined> {
  try {
    return await operation
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  // In a browser, errors of the plugin have no codes.
  return codeOf(error) === MISSING_CODE || (error instanceof Error && /does not exist/.test(error.message))
}

/**
 * Returns whether a file could not be written because the device is full. The plugin has one code for all file
 * system errors, and a message in the viewer's language. The function assumes the most frequent cause: a full
 * device.
 */
function isFull(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'QuotaExceededError'
  return codeOf(error) === FAILED_CODE
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Number of bytes that are converted to text in one call. More arguments would overflow the stack. */
const CHUNK = 0x80_00

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK))
  }
  return btoa(text)
}

function fromBase64(data: string): Uint8Array<ArrayBuffer> {
  const text = atob(data)
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  return bytes
}
