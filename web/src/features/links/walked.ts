import type { AnyRouter, RouterHistory } from '@tanstack/react-router'
import { environment } from '../../api/environment.ts'
import { withoutPrefix } from '../../api/language-prefix.ts'
import { routeAt } from './route-at.ts'
import { isTopLevel } from './top-level.ts'
import { type Trail, trailAfter, wayBack } from './trail.ts'

type Action = Parameters<Parameters<RouterHistory['subscribe']>[0]>[0]['action']

/** Of this visit. A page loaded anew begins with none, and "back" then leads home. */
let trail: Trail = []

/** Keeps the trail of a visit up to date with every move. In the browser only. Returns how to end that. */
export function followMoves(history: RouterHistory): () => void {
  const { prefix } = environment()
  let from = history.location.href
  return history.subscribe(({ location, action }) => {
    trail = trailAfterAction(trail, action, { from, to: withoutPrefix(location.pathname, prefix) })
    from = location.href
  })
}

/** The trail after the browser's history has moved. An address that was replaced is no move of its own (V2.4-21). */
export function trailAfterAction(before: Trail, action: Action, move: { from: string; to: string }): Trail {
  const to = routeAt(move.to)?.name
  const steps = stepsOf(action)
  const back = steps < 0
  // A redirect to a top-level screen empties the trail as a move there does.
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
 * Leads back (V2.4-20). The last recorded address is the one before this one in the browser's history, so that going
 * back there restores how far it was scrolled.
 */
export function goBack(router: AnyRouter): void {
  const history: RouterHistory = router.history
  const path = withoutPrefix(history.location.pathname, environment().prefix)
  const way = wayBack(trail, routeAt(path)?.name)
  if (trail.length > 0 || ('browser' in way && history.canGoBack())) history.back()
  else void router.navigate({ href: 'path' in way ? way.path : '/' })
}
