import type { Playable } from '../content/playable.ts'

/** Where the viewer goes after the end of the content. `close` returns to the page before the player. */
export type EndTarget = { kind: 'next' } | { kind: 'page'; path: string } | { kind: 'close' }

/** The input of {@link endTarget}. */
export interface EndSituation {
  playable: Pick<Playable, 'kind' | 'isSerie' | 'seriesRoute' | 'detailRoute'>
  /** Whether there is a next episode that may play without a further question. */
  next: boolean
  /** Whether episodes play one after the other (V1-09). */
  binge: boolean
  /** Whether the viewer dismissed the next episode. */
  dismissed: boolean
  /** Path from which the player was opened; undefined when it was opened directly. */
  from: string | undefined
}

/** Pages with a choice of content, to which the viewer returns (spec 19). */
const BROWSING = /^\/(home|live|epg)?\/?$/

/**
 * Returns where the viewer goes after the end of the content (V4-46, spec 19): to the next episode, if binge is enabled
 * and there is one. If the viewer came from home, the live screen or the guide, closes the player. Otherwise goes to
 * the page of the series or of the title, or closes the player if there is no such page.
 */
export function endTarget({ playable, next, binge, dismissed, from }: EndSituation): EndTarget {
  if (next && binge && !dismissed) return { kind: 'next' }
  if (playable.kind !== 'asset') return { kind: 'close' }
  if (from !== undefined && BROWSING.test(from)) return { kind: 'close' }
  if (playable.isSerie && playable.seriesRoute !== null) return { kind: 'page', path: playable.seriesRoute }
  return playable.detailRoute === '' ? { kind: 'close' } : { kind: 'page', path: playable.detailRoute }
}
