import type { Language } from '@ondine/contract/languages'
import type { CatalogueTexts } from '@ondine/contract/words'
import { TEXT_SHAPES, type TextsByPath, withErrorCode } from './bundled-texts.ts'
import { pluralForms } from './text-faults.ts'

/** A complete catalogue, and the list of its texts that come from another language. */
export interface Composed {
  texts: CatalogueTexts
  /** Paths of the texts that come from another language. */
  missing: string[]
}

/**
 * Composes a complete catalogue from the first available version of each text. A text that is missing in this
 * language comes from another language, but with the plural forms of this language (spec 12).
 *
 * @param own texts of the language, in order of precedence
 * @param others texts of the fallback languages, in order of precedence
 */
export function composeTexts(
  language: Language,
  own: readonly TextsByPath[],
  others: readonly TextsByPath[],
): Composed {
  const texts: CatalogueTexts = {}
  const missing: string[] = []
  const forms = pluralForms(language)
  for (const { path, plural } of TEXT_SHAPES.values()) {
    const [group = '', name = ''] = path.split('.')
    const place = (texts[group] ??= {})
    if (!plural) {
      place[name] = first(own, path) ?? first(others, path) ?? path
      if (first(own, path) === undefined) missing.push(path)
      continue
    }
    const other = first(own, `${path}_other`)
    for (const form of forms) {
      const key = `${path}_${form}`
      const found = first(own, key)
      if (found === undefined && other === undefined) missing.push(key)
      place[`${name}_${form}`] =
        found ?? other ?? first(others, key) ?? first(others, `${path}_other`) ?? path
    }
  }
  return { texts, missing }
}

/** Returns the texts of a catalogue that pages load, with the codes of errors filled in. */
export function textsOfPages(texts: CatalogueTexts): CatalogueTexts {
  return Object.fromEntries(
    Object.entries(texts).map(([group, named]) => [
      group,
      Object.fromEntries(
        Object.entries(named)
          .filter(([name]) => TEXT_SHAPES.get(`${group}.${name}`)?.onPages !== false)
          .map(([name, text]) => [name, withErrorCode(`${group}.${name}`, text)]),
      ),
    ]),
  )
}

function first(layers: readonly TextsByPath[], path: string): string | undefined {
  return layers.find((layer) => path in layer)?.[path]
}
