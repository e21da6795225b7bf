import type { PlayerTarget } from './playable.ts'

/**
 * The content in the player's address. If several of `asset`, `channel`, `recording` and `trailer` are set, the
 * first of them applies.
 */
export interface PlayerAddress {
  asset?: number | undefined
  channel?: number | undefined
  recording?: number | undefined
  trailer?: number | undefined
  /** Start position: in seconds of an asset or a recording, or in seconds since the Unix epoch on a channel. */
  start?: number | undefined
  /** Languages of the chosen media of an asset (V4-15). */
  audio?: string | undefined
  sub?: string | undefined
  /** Whether to play the asset's download. */
  offline?: boolean | undefined
}

export function playerTarget(address: PlayerAddress): PlayerTarget | undefined {
  const { asset, channel, recording, trailer, start, audio, sub, offline } = address
  if (asset !== undefined) {
    const languages = { ...(audio === undefined ? {} : { audio }), ...(sub === undefined ? {} : { sub }) }
    return { kind: 'asset', id: asset, start, languages, offline }
  }
  // Viewers who are not signed in can open the player with `offline`, and no age rating is checked there. So with
  // `offline`, only a download can play, which is always an asset.
  if (offline === true) return undefined
  if (channel !== undefined) return { kind: 'channel', id: channel, start }
  if (recording !== undefined) return { kind: 'recording', id: recording, start }
  return trailer === undefined ? undefined : { kind: 'trailer', id: trailer }
}

/** Returns the player's path; `start` and `offline` as in {@link PlayerAddress}. */
export function playerPath(
  kind: PlayerTarget['kind'],
  id: number,
  { start, offline = false }: Pick<PlayerAddress, 'start' | 'offline'> = {},
): string {
  return `/player?${offline ? 'offline=true&' : ''}${kind}=${id}${start === undefined ? '' : `&t=${start}`}`
}

/** Returns the player's path without its start. */
export function withoutStart(href: string): string {
  const [path = '', query = ''] = href.split('?')
  const fields = new URLSearchParams(query)
  fields.delete('t')
  return `${path}?${fields}`
}
