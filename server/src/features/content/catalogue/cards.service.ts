import type { Asset, Category } from '@ondine/contract/entities'
import type { Reader } from './catalogue.presenter.ts'
import { type CatalogueParts, ownOf } from './catalogue.service.ts'

/** Cards by id; titles hidden from the viewer have none. */
export interface Cards {
  assets: Map<number, Asset>
  series: Map<number, Category>
}

/** Returns assets and series as lists show them. */
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
