import type { Language } from '@ondine/contract/languages'
import type { Publication } from '@ondine/contract/publication'
import type { Database } from '../../database/connection.ts'
import { type CatalogueParts, categoryTree } from '../catalogue/catalogue.service.ts'
import { knownPages } from '../editorial/editorial.service.ts'
import { VISITOR } from '../entitlements/entitlements.service.ts'
import { defaultMenus } from './default-menus.ts'
import type { Menus } from './menus.ts'

/** The menus that a storefront shows in a language: those that its operator has published, else those of its catalogue. */
export async function publicationOf(
  { db, menus, catalogue }: { db: Database; menus: Menus; catalogue: CatalogueParts },
  storefrontId: number,
  language: Language,
  now: number,
): Promise<Publication> {
  const published = menus.of(storefrontId, language)
  if (published) return published
  const reader = { viewer: VISITOR, language, now }
  const [tree, texts] = await Promise.all([
    categoryTree(catalogue, reader),
    knownPages(db, { ...reader, storefrontId }),
  ])
  return defaultMenus(tree, texts, language)
}
