import type { AnyRouter } from '@tanstack/react-router'
import televisionStyles from '../../design/tokens/television.css?inline'
import { keepFocus } from './keep-focus.ts'
import { followRemote } from './remote.ts'
import { requestKeys } from './television-set.ts'

/** Starts what only televisions need: the keys of their remote, a focus that is always visible, and the layout. */
export function startTelevision(router: AnyRouter): void {
  // The page contains the layout already. A theme that replaces the page's style element must not remove the layout.
  const layout = new CSSStyleSheet()
  layout.replaceSync(televisionStyles)
  document.adoptedStyleSheets.push(layout)
  followRemote(router)
  keepFocus(router)
  requestKeys()
}
