import type { Asset, Category } from '@ondine/contract/entities'
import { invalidFields, notFoundBy, ServiceError } from '../../../http/errors.ts'
import type { Reader } from './catalogue.presenter.ts'
import { type CatalogueParts, ownOf } from './catalogue.service.ts'

/** Cards of titles, by the id of the title. Hidden titles have no card. */
export interface Cards {
  assets: Map<number, Asset>
  series: Map<number, Category>
}

/** Returns the cards of assets and series, as in lists. */
export async function cardsOf(
  parts: CatalogueParts,
  wanted: { assetIds: readonly number[]; serieIds: readonly number[] },
  reader: Reader,
): Promise<Cards> {
  const [view, own] = await Promise.all([parts.memory.view(reader), ownOf(parts, reader)])
  return {
    assets: new Map(
      wanted.assetIds.flatMap((id) => {
        const row = view.assetRow(id)
        return row ? [[id, view.asset(row, own)] as const] : []
      }),
    ),
    series: new Map(
      wanted.serieIds.flatMap((id) => {
        const row = view.categoryRow(id)
        return row ? [[id, view.category(row)] as const] : []
      }),
    ),
  }
}

/** The title that a call names: an asset or a category. */
export interface NamedTitle {
  idAsset?: number | undefined
  idCategory?: number | undefined
}

/** A film, an episode or a series. */
export type Title = { assetId: number } | { categoryId: number }

/**
 * Returns the given film, episode or series, if the reader may see it.
 *
 * @throws ServiceError `contentIdMissing`; `notFound` if the title does not exist or is hidden from the reader
 */
export async function requireTitle(
  parts: CatalogueParts,
  { idAsset, idCategory }: NamedTitle,
  reader: Reader,
): Promise<Title> {
  if (idAsset !== undefined && idCategory !== undefined)
    throw invalidFields([{ field: 'idCategory', message: 'must not be sent together with idAsset' }])
  if (idAsset !== undefined) {
    const { assets } = await cardsOf(parts, { assetIds: [idAsset], serieIds: [] }, reader)
    if (assets.has(idAsset)) return { assetId: idAsset }
  } else if (idCategory !== undefined) {
    const { series } = await cardsOf(parts, { assetIds: [], serieIds: [idCategory] }, reader)
    if (series.get(idCategory)?.isSerie === true) return { categoryId: idCategory }
  } else throw new ServiceError('contentIdMissing')
  throw notFoundBy(idAsset === undefined ? 'idCategory' : 'idAsset')
}
