import type { Playable } from './playable.ts'

/** Where the end of something leads. `close`: to the view before the player. */
export type EndTarget = { kind: 'next' } | { kind: 'page'; path: string } | { kind: 'close' }

/** What the rule looks at. */
export interface EndSituation {
  playable: Pick<Playable, 'kind' | 'isSerie' | 'seriesRoute' | 'detailRoute'>
  /** Whether there is a next episode that may play without a further question. */
  next: boolean
  /** Whether episodes follow each other (V1-09). */
  binge: boolean
  /** Whether the next episode was refused. */
  dismissed: boolean
  /** Path from which the player was opened; undefined when it was opened directly. */
  from: string | undefined
}

/** Where people choose between many things: they go back there (decision 19). */
const BROWSING = /^\/(home|live|epg)?\/?$/

/**
 * After the end (V4-46, decision 19): the next episode if binge is on and there is one, else the series page; a film's
 * own page; back to home or guide where it was started there. Else the player closes.
 */
export function endTarget({ playable, next, binge, dismissed, from }: EndSituation): EndTarget {
  if (playable.kind !== 'asset') return { kind: 'close' }
  if (next && binge && !dismissed) return { kind: 'next' }
  if (from !== undefined && BROWSING.test(from)) return { kind: 'close' }
  if (playable.isSerie && playable.seriesRoute !== null) return { kind: 'page', path: playable.seriesRoute }
  return playable.detailRoute === '' ? { kind: 'close' } : { kind: 'page', path: playable.detailRoute }
}
