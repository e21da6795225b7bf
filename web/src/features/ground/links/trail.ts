import type { RouteName } from '../../../routes.ts'
import { isTopLevel } from './top-level.ts'

/** The addresses to which "back" leads, the most recent address last (V2.4-20, V2.4-21). */
export type Trail = readonly string[]

/** A change of address. */
export interface Move {
  /** The previous address, with its query. */
  from: string
  /** Name of the new screen; undefined for an address without a screen. */
  to: RouteName | undefined
  /** Whether the viewer went back, by the button of the page or of the browser. */
  back: boolean
}

/** Maximum number of addresses in a trail. */
const LONGEST = 50

/** Screens on which "back" uses the browser's history instead of the trail (V2.4-20). */
const BY_BROWSER: ReadonlySet<RouteName> = new Set(['epg-slug', 'channel-slug'])

/**
 * Returns the trail after a move (V2.4-21). A move to a top-level screen empties the trail. Any other move forward adds
 * the previous address, and a move back removes the last address.
 */
export function trailAfter(trail: Trail, { from, to, back }: Move): Trail {
  if (to !== undefined && isTopLevel(to)) return []
  return back ? trail.slice(0, -1) : [...trail, from].slice(-LONGEST)
}

/**
 * Returns where "back" leads (V2.4-20). On the screens of a programme and of a channel, "back" uses the browser's
 * history. On other screens, it leads to the last address of the trail, or to home if the trail is empty.
 */
export function wayBack(trail: Trail, here: RouteName | undefined): { browser: true } | { path: string } {
  if (here !== undefined && BY_BROWSER.has(here)) return { browser: true }
  return { path: trail.at(-1) ?? '/' }
}
