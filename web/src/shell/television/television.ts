import type { AnyRouter } from '@tanstack/react-router'
import televisionStyles from '../../design/tokens/television.css?inline'
import { keepFocus } from './keep-focus.ts'
import { followRemote } from './remote.ts'
import { requestKeys } from './television-set.ts'

/** Starts the features for televisions: the keys of the remote, a focus that is always visible, and the layout. */
export function startTelevision(router: AnyRouter): void {
  // The page's style element already contains the layout. But a new theme replaces this element and would remove
  // the layout, so the layout is added separately.
  const layout = new CSSStyleSheet()
  layout.replaceSync(televisionStyles)
  document.adoptedStyleSheets.push(layout)
  followRemote(router)
  keepFocus(router)
  requestKeys()
}
