import { isAbsolute, join, relative, sep } from 'node:path'

/** Thrown for a path that would leave its folder. */
export class PathError extends Error {
  override name = 'PathError'
}

/**
 * Joins a base folder and names from outside. All paths with such names must be made by this function.
 *
 * @throws PathError for empty or absolute names, NUL, and results outside `base`.
 */
export function joinInside(base: string, ...leaves: string[]): string {
  for (const leaf of leaves) {
    if (leaf === '' || leaf.includes('\0') || isAbsolute(leaf))
      throw new PathError('That is not a file name.')
  }
  const path = join(base, ...leaves)
  const inside = relative(base, path)
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw new PathError('That path leads outside its folder.')
  }
  return path
}
