import type { RouteName } from '../../../routes.ts'
import { isTopLevel } from './top-level.ts'

/** The addresses for "back", the most recent one last (V2.4-20, V2.4-21). */
export type Trail = readonly string[]

/** A change of address. */
export interface Move {
  /** The previous address, with its query. */
  from: string
  /** Name of the new screen; undefined for an address without a screen. */
  to: RouteName | undefined
  /** Whether the move was back, by the button of the page or of the browser. */
  back: boolean
}

/** Maximum number of remembered addresses. Nobody goes back further. */
const LONGEST = 50

/** Screens where "back" uses the browser's history (V2.4-20). */
const BY_BROWSER: ReadonlySet<RouteName> = new Set(['epg-slug', 'channel-slug'])

/**
 * Returns the trail after a move: a top-level screen empties it, any other forward move adds the previous address, and a move back removes
 * the last one (V2.4-21).
 */
export function trailAfter(trail: Trail, { from, to, back }: Move): Trail {
  if (to !== undefined && isTopLevel(to)) return []
  return back ? trail.slice(0, -1) : [...trail, from].slice(-LONGEST)
}

/**
 * Returns the target of "back": the browser's history on a programme and on a channel, else the last recorded address, by default home
 * (V2.4-20).
 */
export function wayBack(trail: Trail, here: RouteName | undefined): { browser: true } | { path: string } {
  if (here !== undefined && BY_BROWSER.has(here)) return { browser: true }
  return { path: trail.at(-1) ?? '/' }
}
