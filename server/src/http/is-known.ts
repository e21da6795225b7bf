/**
 * Returns whether an If-None-Match header contains this tag. A weak tag matches too, because a proxy that
 * compresses answers turns their tags into weak ones.
 */
export function isKnown(header: string | undefined, tag: string): boolean {
  return header?.split(',').some((each) => each.trim().replace(/^W\//, '') === tag) ?? false
}
