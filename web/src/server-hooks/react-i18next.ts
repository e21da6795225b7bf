import type { i18n } from 'i18next'
import { use } from 'react'
import { type useTranslation as followTexts, I18nContext } from 'react-i18next'
import { remembering } from '../words/remember-texts.ts'
import type { TextGroups } from '../words/words.ts'

export * from 'react-i18next'

/** Results of the hook, by texts and group: on the server texts never change. */
const KNOWN = new WeakMap<i18n, Map<string, object>>()

const lookUp: unknown = (group: keyof TextGroups = 'translation') => {
  const words = use(I18nContext)?.i18n
  if (words === undefined) throw new Error('No I18nContext above this component')
  const groups = KNOWN.get(words) ?? new Map<string, object>()
  KNOWN.set(words, groups)
  const known = groups.get(group) ?? {
    t: remembering(words.getFixedT(words.language, group)),
    i18n: words,
    ready: true,
  }
  groups.set(group, known)
  return known
}

export const useTranslation = lookUp as typeof followTexts
