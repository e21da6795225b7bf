import { LAYOUT } from '@ondine/contract/constants'

/** Layouts that fill the top of a page (V3-53). */
export type StageLayout = 'Hero' | 'FullScreen'

/** Layouts of offers (V3-53). */
export type OfferLayout = 'OfferWide' | 'OfferSquare' | 'OfferDiscover'

/** Layouts of cards in rails and grids (V3-53). */
export type CardLayout = 'Poster' | 'PosterDetail' | 'Cover' | 'Totem' | 'Circle' | 'Inline'

/** All layouts for rails and grids: layouts of cards and of offers. */
export type RailLayout = CardLayout | OfferLayout

/** Aspect ratio of the picture in each layout: width divided by height. */
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

/** Window width in px below which titles are smaller (V5-04). */
const SHRINK_BELOW = 800
const SHRINK_BY = 0.8

/**
 * Returns the font size of a title in px, limited to 12 to 200. In a window narrower than 800 px, returns 80 % of
 * this size, but at least 12 (V5-04).
 */
export function titlePixels(size: number, windowWidth: number): number {
  const within = clampTitle(size)
  return windowWidth < SHRINK_BELOW ? clampTitle(within * SHRINK_BY) : within
}

function clampTitle(size: number): number {
  // For NaN, returns the smallest size, which does not break the layout.
  if (Number.isNaN(size)) return LAYOUT.titleSizeMin
  return Math.min(LAYOUT.titleSizeMax, Math.max(LAYOUT.titleSizeMin, Math.round(size * 100) / 100))
}

/**
 * Returns the sizes of a title for wide and narrow windows, as custom properties `{name}-wide` and
 * `{name}-narrow`. The style sheet chooses between them.
 */
export function titleProperties(name: `--${string}`, size: number): Record<`--${string}`, string> {
  return {
    [`${name}-wide`]: `${titlePixels(size, SHRINK_BELOW)}px`,
    [`${name}-narrow`]: `${titlePixels(size, SHRINK_BELOW - 1)}px`,
  }
}

/** Returns whether all covers fit into one row of the widest grid. A large window would then be mostly empty. */
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
 * Returns the number of columns of a grid by window width (V9-12, spec 15). Layouts with text beside the picture
 * have 1 to 3 columns, because narrower text would be hard to read. Other grids have `perRow` columns in a narrow
 * window, and up to 8 for covers or 7 for other cards in the widest.
 *
 * @param perRow columns in a narrow window. With 2, there are 5 columns at most and cards stay large, because
 * viewers choose by the text below each card, as in search results
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
    // From this width on, cards and titles also grow with the window, so the number of columns grows more slowly.
    { from: 1600, columns: wide ? 5 : 6 },
    { from: 2200, columns: wide ? 6 : widest },
    { from: 3000, columns: widest },
  ]
}
