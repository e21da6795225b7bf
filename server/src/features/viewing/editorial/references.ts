/** Kinds of content links that become cards (V2.2-01 to V2.2-03). */
const KINDS = ['vod_asset', 'series', 'vod_category', 'live_channel', 'live_broadcast'] as const
export type ReferenceKind = (typeof KINDS)[number]

/** Target of a reference: by id, or by title in the form used in addresses. */
export interface Reference {
  kind: ReferenceKind
  key: { id: number } | { slug: string }
}

/** The title at the end may contain slashes. */
const FORM = /^(?:ondine-content:)?(trailer\/)?(?:(\w+)\/)?([\p{L}\p{N}-]{1,100})(?:\/.*)?$/u

/**
 * Returns the short form of an address that is a reference: `vod_asset/la-houle`, `live_channel/4`. The short
 * form of a trailer is the short form of its title: `trailer/la-houle` becomes `vod_asset/la-houle`.
 * Undefined for any other address.
 */
export function referenceOf(address: string): string | undefined {
  const [, trailer, word, key] = FORM.exec(address.trim().replace(/^\{(.*)\}$/, '$1')) ?? []
  if (key === undefined) return undefined
  const kind = KINDS.find((known) => known === (word ?? (trailer === undefined ? undefined : 'vod_asset')))
  return kind === undefined ? undefined : `${kind}/${key}`
}

/** Returns whether an address refers to a trailer: `trailer/la-houle`, `trailer/series/le-metier`. */
export function isTrailer(address: string): boolean {
  return address.startsWith('trailer/') && referenceOf(address) !== undefined
}

/** Parses the short form of a reference. */
export function readReference(reference: string): Reference | undefined {
  const [word, key = ''] = reference.split('/')
  const kind = KINDS.find((known) => known === word)
  if (kind === undefined || key === '') return undefined
  return { kind, key: /^\d{1,9}$/.test(key) ? { id: Number(key) } : { slug: key } }
}
