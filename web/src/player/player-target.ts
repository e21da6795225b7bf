import type { PlayerTarget } from './playable.ts'

/** What the address of the player asks for; the first of asset, channel and trailer that is there counts. */
export interface PlayerAddress {
  asset?: number | undefined
  channel?: number | undefined
  trailer?: number | undefined
  /** Seconds into an asset, or seconds since the Unix epoch on a channel. */
  start?: number | undefined
  /** Languages of the media that was chosen for an asset (V4-15). */
  audio?: string | undefined
  sub?: string | undefined
}

export function playerTarget(address: PlayerAddress): PlayerTarget | undefined {
  const { asset, channel, trailer, start, audio, sub } = address
  if (asset !== undefined) {
    const languages = { ...(audio === undefined ? {} : { audio }), ...(sub === undefined ? {} : { sub }) }
    return { kind: 'asset', id: asset, start, languages }
  }
  if (channel !== undefined) return { kind: 'channel', id: channel, start }
  return trailer === undefined ? undefined : { kind: 'trailer', id: trailer }
}

/** The path at which something plays; `start` as in {@link PlayerAddress}. */
export function playerPath(kind: PlayerTarget['kind'], id: number, start?: number): string {
  return `/player?${kind}=${id}${start === undefined ? '' : `&t=${start}`}`
}
