import { isAbsolute, relative, resolve } from 'node:path'
import type { Context } from '../../../context.ts'

type Folders = Pick<Context['folders'], 'library'>

/**
 * Returns the library's name in source keys. For a library in the installation's folder, the name is the relative
 * path, so that the installation can be moved. For other libraries, the name is the absolute path.
 */
export function libraryName(folders: Folders, path: string): string {
  const inside = relative(folders.library, path)
  return inside !== '' && !inside.startsWith('..') && !isAbsolute(inside) ? inside : path
}

/** Returns the absolute path of a library's folder. */
export function libraryFolder(folders: Folders, library: string): string {
  return resolve(folders.library, library)
}
