import type { Publication } from '@ondine/contract/publication'
import type { Database } from '../../../database/connection.ts'
import type { Reader } from '../../content/catalogue/catalogue.presenter.ts'
import { type CatalogueParts, categoryTree } from '../../content/catalogue/catalogue.service.ts'
import type { Menus } from '../../settings/menus/menus.ts'
import { knownTexts } from '../editorial/editorial.service.ts'
import { defaultMenus } from './default-menus.ts'

/**
 * Returns the menus of a storefront: the menus that the operator published in the reader's language, the same
 * for everyone. If there are none, returns menus built from the categories that the reader sees.
 */
export async function publicationOf(
  { db, menus, catalogue }: { db: Database; menus: Menus; catalogue: CatalogueParts },
  storefrontId: number,
  reader: Reader,
): Promise<Publication> {
  const published = menus.of(storefrontId, reader.language)
  if (published) return published
  const [tree, texts] = await Promise.all([
    categoryTree(catalogue, reader),
    knownTexts(db, { ...reader, storefrontId }),
  ])
  return defaultMenus(tree, texts, reader.language)
}
