import type { AnyRouter, RouterHistory } from '@tanstack/react-router'
import { environment } from '../../../api/environment.ts'
import { withoutPrefix } from '../../../api/language-prefix.ts'
import { routeAt } from './route-at.ts'
import { isTopLevel } from './top-level.ts'
import { type Trail, trailAfter, wayBack } from './trail.ts'

type Action = Parameters<Parameters<RouterHistory['subscribe']>[0]>[0]['action']

/**
 * The addresses to which "back" leads in this visit. After a reload the trail is empty, and "back" leads to home.
 */
let trail: Trail = []

/** Updates the trail at each move. Works only in the browser. Returns a function that ends the updates. */
export function followMoves(history: RouterHistory): () => void {
  const { prefix } = environment()
  let from = history.location.href
  return history.subscribe(({ location, action }) => {
    trail = trailAfterAction(trail, action, { from, to: withoutPrefix(location.pathname, prefix) })
    from = location.href
  })
}

/** Returns the trail after the browser's history has changed. A replaced address is not a move (V2.4-21). */
export function trailAfterAction(before: Trail, action: Action, move: { from: string; to: string }): Trail {
  const to = routeAt(move.to)?.name
  const steps = stepsOf(action)
  const back = steps < 0
  // A redirect to a top-level screen empties the trail, like any other move to such a screen.
  if (steps === 0) return to !== undefined && isTopLevel(to) ? [] : before
  let after = before
  for (let step = 0; step < Math.abs(steps); step += 1)
    after = trailAfter(after, { from: move.from, to, back })
  return after
}

function stepsOf(action: Action): number {
  if (action.type === 'GO') return action.index
  return { PUSH: 1, FORWARD: 1, BACK: -1, REPLACE: 0 }[action.type]
}

/**
 * Goes back (V2.4-20). The last address of the trail is also the previous entry of the browser's history. Going
 * back in the history restores that page's scroll position.
 */
export function goBack(router: AnyRouter): void {
  const history: RouterHistory = router.history
  const path = withoutPrefix(history.location.pathname, environment().prefix)
  const way = wayBack(trail, routeAt(path)?.name)
  if (trail.length > 0 || ('browser' in way && history.canGoBack())) history.back()
  else void router.navigate({ href: 'path' in way ? way.path : '/' })
}
