import { invalidFields, notFoundBy, ServiceError } from '../../../http/errors.ts'
import { cardsOf } from './cards.service.ts'
import type { Reader } from './catalogue.presenter.ts'
import type { CatalogueParts } from './catalogue.service.ts'

/** Title as a caller names it. */
export interface NamedTitle {
  idAsset?: number | undefined
  idCategory?: number | undefined
}

/** Film, episode or series. */
export type Title = { assetId: number } | { categoryId: number }

/**
 * Returns the film, episode or series that is named and that the reader may see.
 *
 * @throws ServiceError `contentIdMissing`; `notFound` if it is not a title or not visible to the reader
 */
export async function requireTitle(
  parts: CatalogueParts,
  { idAsset, idCategory }: NamedTitle,
  reader: Reader,
): Promise<Title> {
  if (idAsset !== undefined && idCategory !== undefined)
    throw invalidFields([{ field: 'idCategory', message: 'must not stand beside idAsset' }])
  if (idAsset !== undefined) {
    const { assets } = await cardsOf(parts, { assetIds: [idAsset], serieIds: [] }, reader)
    if (assets.has(idAsset)) return { assetId: idAsset }
  } else if (idCategory !== undefined) {
    const { series } = await cardsOf(parts, { assetIds: [], serieIds: [idCategory] }, reader)
    if (series.get(idCategory)?.isSerie === true) return { categoryId: idCategory }
  } else throw new ServiceError('contentIdMissing')
  throw notFoundBy(idAsset === undefined ? 'idCategory' : 'idAsset')
}
