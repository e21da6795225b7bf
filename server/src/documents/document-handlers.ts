import type { Call, Storefront } from '../http/operations.ts'
import type { Content, EditableDocument, HistoryEntry } from './editable-document.ts'
import type { HistoryPage } from './revision-store.ts'

/** Fields of every call that changes a document. */
export interface Change {
  /** The revision that the operator saw. */
  revision: number
  reason: string
}

type OperatorCall = Pick<Call<'operator'>, 'storefront' | 'operator'>

/** Returns the author and the reason of the change that a call makes. */
export function authorOf({ operator }: Pick<OperatorCall, 'operator'>, { reason }: { reason: string }) {
  return { author: operator.name, reason }
}

/**
 * Builds the handlers of the calls that exist for every kind of document.
 *
 * @param documentOf returns the document of a call; `subject` are the fields that identify it within a storefront
 */
export function documentHandlers<Subject>(
  documentOf: (storefront: Storefront, subject: Subject) => EditableDocument,
) {
  return {
    replace: async (input: Subject & Change & { document: Content }, call: OperatorCall) =>
      await documentOf(call.storefront, input).replace(input.revision, input.document, authorOf(call, input)),

    restore: async (input: Subject & Change & { to: number }, call: OperatorCall) =>
      await documentOf(call.storefront, input).restore(input.revision, input.to, authorOf(call, input)),

    undo: async (input: Subject & Change, call: OperatorCall) =>
      await documentOf(call.storefront, input).undo(input.revision, authorOf(call, input)),

    history: async (input: Subject & HistoryPage, call: OperatorCall) =>
      presentHistory(await documentOf(call.storefront, input).history(input)),

    diff: async (input: Subject & { from: number; to: number }, call: OperatorCall) =>
      await documentOf(call.storefront, input).diff(input.from, input.to),
  }
}

/** Presents a history, with times in seconds. */
function presentHistory(entries: readonly HistoryEntry[]) {
  return entries.map(({ revision, author, reason, madeAt, restores, differences }) => ({
    revision,
    author,
    reason,
    madeAt: madeAt / 1000,
    restores,
    differences,
  }))
}
