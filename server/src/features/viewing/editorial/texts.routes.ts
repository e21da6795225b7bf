import {
  listTexts,
  readText,
  removeText,
  restoreText,
  textHistory,
  undoText,
  writeText,
} from '@ondine/contract/editorial-calls'
import { authorOf, documentHandlers } from '../../../documents/document-handlers.ts'
import type { On } from '../../../http/operations.ts'
import type { EditorialTexts } from './texts.service.ts'
import type { TextName } from './written-article.ts'

/** Registers the operators' calls for single texts. */
export function registerTexts(on: On, texts: EditorialTexts): void {
  on(
    listTexts,
    async ({ type, language, ...part }, { storefront }) =>
      await texts.list(storefront.id, { type, language }, part),
  )

  on(readText, async (name, { storefront }) => await texts.read({ storefrontId: storefront.id, ...name }))

  on(writeText, async ({ revision, markdown, reason, ...name }, call) => {
    const key = { storefrontId: call.storefront.id, ...name }
    return await texts.write(key, revision, markdown, authorOf(call, { reason }))
  })

  on(removeText, async ({ revision, reason, ...name }, call) => {
    const key = { storefrontId: call.storefront.id, ...name }
    return await texts.remove(key, revision, authorOf(call, { reason }))
  })

  const { restore, undo, history } = documentHandlers<TextName>(({ id }, { language, type, slug }) =>
    texts.document({ storefrontId: id, language, type, slug }),
  )
  on(restoreText, restore)
  on(undoText, undo)
  on(textHistory, history)
}
