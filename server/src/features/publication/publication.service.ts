import type { Language } from '@ondine/contract/languages'
import type { Publication } from '@ondine/contract/publication'
import { type CatalogueParts, categoryTree } from '../catalogue/catalogue.service.ts'
import { VISITOR } from '../entitlements/entitlements.service.ts'
import { defaultMenus } from './default-menus.ts'
import type { Menus } from './menus.ts'

/** The menus that a storefront shows in a language: those that its operator has published, else those of its catalogue. */
export async function publicationOf(
  { menus, catalogue }: { menus: Menus; catalogue: CatalogueParts },
  storefrontId: number,
  language: Language,
  now: number,
): Promise<Publication> {
  const published = menus.of(storefrontId, language)
  return (
    published ?? defaultMenus(await categoryTree(catalogue, { viewer: VISITOR, language, now }), language)
  )
}
