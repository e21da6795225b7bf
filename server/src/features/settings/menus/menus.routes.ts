import {
  menusHistory,
  readMenus,
  replaceMenus,
  restoreMenus,
  undoMenus,
} from '@ondine/contract/publication-calls'
import { documentHandlers } from '../../../documents/document-handlers.ts'
import type { On } from '../../../http/operations.ts'
import type { Menus } from './menus.ts'

/** Registers the operator calls for the menus. */
export function registerMenus(on: On, menus: Menus): void {
  on(readMenus, (_input, { storefront }) => {
    const { revision, content } = menus.document(storefront.id).current()
    return { revision, set: content }
  })

  const { replace, restore, undo, history } = documentHandlers(({ id }) => menus.document(id))
  on(replaceMenus, replace)
  on(restoreMenus, restore)
  on(undoMenus, undo)
  on(menusHistory, history)
}
