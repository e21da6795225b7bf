import { LAYOUT } from '@ondine/contract/constants'

/** Layouts that fill the top of a page (V3-53). */
export type StageLayout = 'Hero' | 'FullScreen'

/** Layouts of offers (V3-53). */
export type OfferLayout = 'OfferWide' | 'OfferSquare' | 'OfferDiscover'

/** Layouts of cards in rails and grids (V3-53). */
export type CardLayout = 'Poster' | 'PosterDetail' | 'Cover' | 'Totem' | 'Circle' | 'Inline'

/** Layouts of everything in rails and grids. */
export type RailLayout = CardLayout | OfferLayout

/** Width of the picture divided by its height. */
export const PICTURE_RATIOS: Record<RailLayout, number> = {
  Poster: 2 / 3,
  PosterDetail: 2 / 3,
  Cover: 16 / 9,
  Inline: 16 / 9,
  Totem: 9 / 16,
  Circle: 1,
  OfferWide: 16 / 9,
  OfferSquare: 1,
  OfferDiscover: 4 / 5,
}

/** Returns whether a layout needs an upright picture, such as a poster, rather than a wide picture. */
export function isUpright(layout: RailLayout): boolean {
  return PICTURE_RATIOS[layout] < 1
}

/** Titles shrink in windows narrower than this, in px (V5-04). */
const SHRINK_BELOW = 800
const SHRINK_BY = 0.8

/**
 * Returns the size of a title in px, between 12 and 200. In a window narrower than 800 px it is 80 % of that
 * size, but at least 12 (V5-04).
 */
export function titlePixels(size: number, windowWidth: number): number {
  const within = clampTitle(size)
  return windowWidth < SHRINK_BELOW ? clampTitle(within * SHRINK_BY) : within
}

function clampTitle(size: number): number {
  // NaN is not a size. The smallest size is used, because it does no harm.
  if (Number.isNaN(size)) return LAYOUT.titleSizeMin
  return Math.min(LAYOUT.titleSizeMax, Math.max(LAYOUT.titleSizeMin, Math.round(size * 100) / 100))
}

/**
 * Returns the two sizes of a title as custom properties `{name}-wide` and `{name}-narrow`. The style sheet chooses
 * between them.
 */
export function titleProperties(name: `--${string}`, size: number): Record<`--${string}`, string> {
  return {
    [`${name}-wide`]: `${titlePixels(size, SHRINK_BELOW)}px`,
    [`${name}-narrow`]: `${titlePixels(size, SHRINK_BELOW - 1)}px`,
  }
}

/** Returns whether all covers fit in one row of the widest grid. Most of a large window would then be empty. */
export function areFew(count: number): boolean {
  return count <= LAYOUT.designMode.cover
}

/**
 * Returns how many suggestions are side by side in a window of `windowWidth` px: 2 up to 320 px, 8 from 2100
 * px, and a linear interpolation in between (V9-09).
 */
export function suggestionsPerView(windowWidth: number): number {
  const { minSlides, maxSlides, fromWidth, toWidth } = LAYOUT.suggestions
  const share = Math.min(1, Math.max(0, (windowWidth - fromWidth) / (toWidth - fromWidth)))
  return Math.round(minSlides + share * (maxSlides - minSlides))
}

/** Columns of a grid by window width. Each step applies from the width `from`, in px. */
export type GridColumns = readonly { from: number; columns: number }[]

/**
 * Returns the number of columns of a grid by window width (V9-12, spec 15). Layouts with text beside the picture have 1
 * to 3 columns, because their lines would become too short to read. Other grids begin with `perRow` columns, and grow to
 * 8 for covers or 7 for other cards.
 *
 * @param perRow columns in a narrow window. With 2, cards stay large (5 columns at most), because viewers choose by the
 * text below each card, as in search results
 */
export function gridColumns(layout: RailLayout, perRow: 1 | 2 | 3 = LAYOUT.itemsPerRow): GridColumns {
  if (layout === 'Inline' || layout === 'PosterDetail' || layout === 'OfferWide') {
    return [
      { from: 0, columns: 1 },
      { from: 768, columns: 2 },
      { from: 1600, columns: 3 },
    ]
  }
  if (perRow === 2) {
    return [
      { from: 0, columns: 2 },
      { from: 600, columns: 3 },
      { from: 1200, columns: 4 },
      { from: 1600, columns: 5 },
    ]
  }
  const wide = layout === 'Cover'
  const widest = wide ? LAYOUT.designMode.cover : LAYOUT.designMode.other
  return [
    { from: 0, columns: perRow },
    { from: 600, columns: wide ? 3 : 4 },
    { from: 1024, columns: wide ? 4 : 5 },
    { from: 1200, columns: wide ? 5 : 6 },
    // From this width on, the cards and their titles grow with the window. The widest window has the most
    // columns.
    { from: 1600, columns: wide ? 5 : 6 },
    { from: 2200, columns: wide ? 6 : widest },
    { from: 3000, columns: widest },
  ]
}
