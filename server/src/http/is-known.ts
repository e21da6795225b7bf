/**
 * Returns whether an If-None-Match header holds this tag. Weak tags match too, because a proxy that compresses makes
 * tags weak.
 */
export function isKnown(header: string | undefined, tag: string): boolean {
  return header?.split(',').some((each) => each.trim().replace(/^W\//, '') === tag) ?? false
}
