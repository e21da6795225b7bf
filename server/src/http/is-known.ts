/** Whether one of the tags of an If-None-Match is this one; a proxy that compresses makes it a weak one. */
export function isKnown(header: string | undefined, tag: string): boolean {
  return header?.split(',').some((each) => each.trim().replace(/^W\//, '') === tag) ?? false
}
