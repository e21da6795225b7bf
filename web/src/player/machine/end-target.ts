import type { Playable } from '../content/playable.ts'

/** Where the player goes after the end of the content. `close` goes back to the page before the player. */
export type EndTarget = { kind: 'next' } | { kind: 'page'; path: string } | { kind: 'close' }

/** The input of {@link endTarget}. */
export interface EndSituation {
  playable: Pick<Playable, 'kind' | 'isSerie' | 'seriesRoute' | 'detailRoute'>
  /** Whether there is a next episode that the viewer's offers include. */
  next: boolean
  /** Whether the next episode plays automatically (V1-09). */
  binge: boolean
  /** Whether the viewer dismissed the next episode. */
  dismissed: boolean
  /** Path from which the player was opened; undefined if the viewer opened the player directly. */
  from: string | undefined
}

/**
 * Pages on which viewers choose content. A viewer who opened the player on such a page gets back to this page (spec
 * 19). For a download, the page of the title would be the offline page.
 */
const BROWSING = /^\/(home|live|epg|library\/downloads)?\/?$/

/**
 * Returns where the player goes after the end of the content (V4-46, spec 19). It plays the next episode if there is
 * one, binge is enabled, and the viewer has not dismissed the episode. Otherwise, the player closes if the content is
 * not an asset, or if the viewer came from home, the live screen, the guide or the downloads. In all other cases, it
 * goes to the page of the series or of the title, and closes if there is no such page.
 */
export function endTarget({ playable, next, binge, dismissed, from }: EndSituation): EndTarget {
  if (next && binge && !dismissed) return { kind: 'next' }
  if (playable.kind !== 'asset') return { kind: 'close' }
  if (from !== undefined && BROWSING.test(from)) return { kind: 'close' }
  if (playable.isSerie && playable.seriesRoute !== null) return { kind: 'page', path: playable.seriesRoute }
  return playable.detailRoute === '' ? { kind: 'close' } : { kind: 'page', path: playable.detailRoute }
}
