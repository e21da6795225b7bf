import { moneyText } from '../../../words/money.ts'
import { usePlace } from '../../../words/place.tsx'

/** Returns the prices of the gallery, formatted in the page's language. */
export function useGalleryPrices(): { all: string; essential: string; rental: string } {
  const { language } = usePlace()
  return {
    all: moneyText(1299, language),
    essential: moneyText(699, language),
    rental: moneyText(399, language),
  }
}
