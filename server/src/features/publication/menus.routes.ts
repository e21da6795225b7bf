import {
  menusHistory,
  readMenus,
  replaceMenus,
  restoreMenus,
  undoMenus,
} from '@ondine/contract/publication-calls'
import type { On } from '../../http/operations.ts'
import { presentHistory } from '../documents/document-editor.ts'
import type { Menus } from './menus.ts'

/** What operators do with the menus. */
export function registerMenus(on: On, menus: Menus): void {
  on(readMenus, (_input, { storefront }) => menus.stored(storefront.id))

  on(
    replaceMenus,
    async ({ revision, document, reason }, { storefront, operator }) =>
      await menus.replace(storefront.id, revision, document, { author: operator.name, reason }),
  )

  on(
    restoreMenus,
    async ({ revision, to, reason }, { storefront, operator }) =>
      await menus.restore(storefront.id, revision, to, { author: operator.name, reason }),
  )

  on(
    undoMenus,
    async ({ revision, reason }, { storefront, operator }) =>
      await menus.undo(storefront.id, revision, { author: operator.name, reason }),
  )

  on(menusHistory, async (page, { storefront }) => presentHistory(await menus.history(storefront.id, page)))
}
