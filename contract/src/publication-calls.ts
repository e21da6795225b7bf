import * as z from 'zod'
import { changed, history, historyPage, reason, revision } from './document-calls.ts'
import { operation } from './operation.ts'
import { json } from './wire.ts'

/** Returns the menus that an operator has published, by language (V3-01). */
export const readMenus = operation({
  name: 'readMenus',
  method: 'GET',
  path: '/operator/menus',
  as: 'operator',
  summary: 'The published menus of a storefront by language, with their revision.',
  input: z.object({}),
  output: z.object({ revision: z.int(), set: z.unknown() }),
})

/**
 * Publishes menus: `header` and `footer` by language. For an omitted language, the service builds the menus from
 * the catalogue.
 */
export const replaceMenus = operation({
  name: 'replaceMenus',
  method: 'POST',
  path: '/operator/menus/replace',
  as: 'operator',
  summary: 'Publishes the menus of a storefront and replaces the previous ones.',
  input: z.object({ revision, document: json(z.record(z.string(), z.unknown())), reason }),
  output: changed,
  errors: ['conflict'],
})

/** Restores an earlier revision by adding a new revision with the same content. */
export const restoreMenus = operation({
  name: 'restoreMenus',
  method: 'POST',
  path: '/operator/menus/restore',
  as: 'operator',
  summary: 'Publishes the menus of an earlier revision again.',
  input: z.object({ revision, to: revision, reason }),
  output: changed,
  errors: ['conflict', 'notFound'],
})

/** Undoes the last change. A repeated call undoes the change before that. */
export const undoMenus = operation({
  name: 'undoMenus',
  method: 'POST',
  path: '/operator/menus/undo',
  as: 'operator',
  summary: 'Undoes the last change of the menus. Called again, undoes the one before it.',
  input: z.object({ revision, reason }),
  output: changed,
  errors: ['conflict', 'notFound'],
})

/** Returns the changes with their author, time and reason, newest first. */
export const menusHistory = operation({
  name: 'menusHistory',
  method: 'GET',
  path: '/operator/menus/history',
  as: 'operator',
  summary: 'The changes of the menus, the newest first.',
  input: z.object(historyPage),
  output: history,
})
