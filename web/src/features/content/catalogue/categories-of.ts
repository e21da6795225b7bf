import type { Asset } from '@ondine/contract/entities'

/** Returns the ids of the categories that contain assets, at any depth (V3-10). */
export function categoriesOf(assets: readonly Pick<Asset, 'path'>[]): number[] {
  const ids = assets.flatMap(({ path }) => path.flatMap((each) => each.split('/').filter(Boolean)))
  return [...new Set(ids)].map(Number)
}
