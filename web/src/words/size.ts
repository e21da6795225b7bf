import { type Language, languageTag } from '@ondine/contract/languages'

const UNITS = ['megabyte', 'gigabyte'] as const
const STEP = 1000
const MEGABYTE = 1_000_000

/** Formats a size in the unit of the language: `640 MB`, `1.2 GB`. */
export function sizeText(bytes: number, language: Language): string {
  const megabytes = bytes / MEGABYTE
  const isLarge = megabytes >= STEP
  return new Intl.NumberFormat(languageTag(language), {
    style: 'unit',
    unit: UNITS[isLarge ? 1 : 0],
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(isLarge ? megabytes / STEP : Math.ceil(megabytes))
}
