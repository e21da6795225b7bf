import { hash } from 'node:crypto'

/**
 * Digests of a page's inline elements, as sources of its content security policy (CSP Level 3, 2.3.1
 * `hash-source`).
 */
export interface InlineHashes {
  scripts: string[]
  styles: string[]
}

/**
 * Returns the digests of a page's inline scripts and styles. Skips scripts loaded from files and scripts that only
 * hold data, because the policy needs no digests of them.
 */
export function inlineHashes(page: Buffer): InlineHashes {
  const scripts = contentsOf(page, 'script', (opening) => !/\s(?:src|type)=/.test(opening))
  return { scripts: scripts.map(digest), styles: contentsOf(page, 'style', () => true).map(digest) }
}

/**
 * Returns the contents of the elements with the tag `name` whose opening tag `isWanted` accepts, byte for byte. A
 * search for the opening tag finds only elements, because React escapes `<` in texts.
 */
function contentsOf(page: Buffer, name: string, isWanted: (opening: string) => boolean): Buffer[] {
  const contents: Buffer[] = []
  for (let at = page.indexOf(`<${name}`); at !== -1; at = page.indexOf(`<${name}`, at)) {
    const begin = page.indexOf('>', at) + 1
    const end = page.indexOf(`</${name}`, begin)
    if (begin === 0 || end === -1) break
    if (isWanted(page.toString('utf8', at, begin))) contents.push(page.subarray(begin, end))
    at = end
  }
  return contents
}

/** Returns the policy's source that allows an inline element with this content. */
export function digest(content: Buffer | string): string {
  return `'sha256-${hash('sha256', content, 'base64')}'`
}
