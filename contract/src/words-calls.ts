import * as z from 'zod'
import { changed, difference, history, historyPage, reason, revision } from './document-calls.ts'
import { operation } from './operation.ts'
import { json, language } from './wire.ts'

/** Maximum number of changes in one call. */
const MOST_CHANGES = 500

/** The texts of a language that an operator has set, by path, such as `home.title`. */
const texts = z.record(z.string().max(200), z.string())

/** The texts of a language (V3-56). */
export const readWords = operation({
  name: 'readWords',
  method: 'GET',
  path: '/operator/words/:language',
  as: 'operator',
  summary: 'The texts of a storefront in a language with their revision, and the texts that were set.',
  input: z.object({ language }),
  output: z.object({
    revision: z.int(),
    set: texts,
    catalogue: z.unknown(),
    /** Paths of the texts that are missing in the language. Viewers see the texts of the default language instead. */
    missing: z.array(z.string()),
  }),
})

/** Changes texts: all the given changes, or none if one is invalid. */
export const changeWords = operation({
  name: 'changeWords',
  method: 'POST',
  path: '/operator/words/:language/change',
  as: 'operator',
  summary: 'Sets texts of a language, or resets them to those of the service: all or none.',
  input: z.object({
    language,
    /**
     * The latest revision that the caller has read. If a newer revision exists, the call fails with a conflict.
     */
    revision,
    /** A change without a value resets the text to the built-in text. */
    changes: json(
      z
        .array(z.strictObject({ path: z.string().min(1).max(200), value: z.string().optional() }))
        .min(1)
        .max(MOST_CHANGES),
    ),
    reason,
  }),
  output: changed,
  errors: ['conflict'],
})

/** Replaces all texts that an operator has set in the language. */
export const replaceWords = operation({
  name: 'replaceWords',
  method: 'POST',
  path: '/operator/words/:language/replace',
  as: 'operator',
  summary: 'Replaces all texts of a language that were set.',
  input: z.object({ language, revision, document: json(texts), reason }),
  output: changed,
  errors: ['conflict'],
})

/** Restores an earlier revision by adding a new revision with the same content. */
export const restoreWords = operation({
  name: 'restoreWords',
  method: 'POST',
  path: '/operator/words/:language/restore',
  as: 'operator',
  summary: 'Makes an earlier revision of the texts of a language the newest again.',
  input: z.object({ language, revision, to: revision, reason }),
  output: changed,
  errors: ['conflict', 'notFound'],
})

/** Undoes the last change. A repeated call undoes the change before that. */
export const undoWords = operation({
  name: 'undoWords',
  method: 'POST',
  path: '/operator/words/:language/undo',
  as: 'operator',
  summary: 'Undoes the last change of the texts of a language. Called again, undoes the one before it.',
  input: z.object({ language, revision, reason }),
  output: changed,
  errors: ['conflict', 'notFound'],
})

/** Returns the changes with their author, time and reason, newest first. */
export const wordsHistory = operation({
  name: 'wordsHistory',
  method: 'GET',
  path: '/operator/words/:language/history',
  as: 'operator',
  summary: 'The changes of the texts of a language, the newest first.',
  input: z.object({ language, ...historyPage }),
  output: history,
})

/** Returns the differences between two revisions. Revision 0 contains only the built-in texts. */
export const diffWords = operation({
  name: 'diffWords',
  method: 'GET',
  path: '/operator/words/:language/diff',
  as: 'operator',
  summary: 'The differences between two revisions of the texts of a language.',
  input: z.object({ language, from: revision, to: revision }),
  output: z.array(difference),
  errors: ['notFound'],
})
