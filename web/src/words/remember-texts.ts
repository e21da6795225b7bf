import type { i18n, TFunction } from 'i18next'

const REMEMBERING = new WeakSet<i18n>()

/** Adds a cache for texts without parameters. Used on the server, where texts never change. */
export function rememberTexts(words: i18n): i18n {
  if (REMEMBERING.has(words)) return words
  REMEMBERING.add(words)
  return Object.assign(words, { t: remembering(words.t) })
}

/** Wraps a translate function with a cache for texts without parameters. */
export function remembering(translate: TFunction): TFunction {
  const texts = new Map<string, string>()
  const translated: unknown = (...asked: Parameters<TFunction>) => {
    const [key] = asked
    if (asked.length > 1 || typeof key !== 'string') return translate(...asked)
    const text = texts.get(key) ?? translate(...asked)
    texts.set(key, text)
    return text
  }
  return translated as TFunction
}
