import type { RouteName } from '../../routes.ts'
import { isTopLevel } from './top-level.ts'

/** The addresses that "back" goes through, the last one left at the end (V2.4-20, V2.4-21). */
export type Trail = readonly string[]

/** A change of address. */
export interface Move {
  /** The address that was left, with its query. */
  from: string
  /** Name of the screen that was reached; undefined for an address without one. */
  to: RouteName | undefined
  /** Whether it went back, by a button of ours or by the browser's. */
  back: boolean
}

/** How many addresses are remembered: nobody goes back further, and a long evening should not grow without end. */
const LONGEST = 50

/** Screens whose "back" is the browser's own (V2.4-20). */
const BY_BROWSER: ReadonlySet<RouteName> = new Set(['epg-slug', 'channel-slug'])

/**
 * The trail after a move: a top-level screen empties it, any other forward move adds the address that was left, and a
 * move back takes the last one off (V2.4-21).
 */
export function trailAfter(trail: Trail, { from, to, back }: Move): Trail {
  if (to !== undefined && isTopLevel(to)) return []
  return back ? trail.slice(0, -1) : [...trail, from].slice(-LONGEST)
}

/**
 * Where "back" leads from a screen: into the browser's history on a programme and on a channel, else to the last
 * recorded address, by default home (V2.4-20).
 */
export function wayBack(trail: Trail, here: RouteName | undefined): { browser: true } | { path: string } {
  if (here !== undefined && BY_BROWSER.has(here)) return { browser: true }
  return { path: trail.at(-1) ?? '/' }
}
