import { deviceStorage } from '../../ground/platform/device-storage.ts'
import { cartPath } from './offer-paths.ts'

const KEY = 'chosen-plan'

/**
 * Stores the plan that a viewer chose during registration. The link in the e-mail opens another tab, which reads
 * this plan. The stored plan does not expire. Works only in the browser.
 */
export function rememberPlan(offerIds: readonly number[]): void {
  if (offerIds.length > 0) deviceStorage.setItem(KEY, JSON.stringify(offerIds))
  else deviceStorage.removeItem(KEY)
}

/**
 * Returns the path of the cart with the plan that the viewer chose during registration. Undefined if no plan was
 * chosen. Works only in the browser.
 */
export function chosenPlanPath(): string | undefined {
  const offerIds = readPlan()
  return offerIds.length === 0 ? undefined : cartPath({ offerIds })
}

function readPlan(): number[] {
  try {
    const read: unknown = JSON.parse(deviceStorage.getItem(KEY) ?? '[]')
    return Array.isArray(read) ? read.filter((each) => Number.isSafeInteger(each) && each > 0) : []
  } catch {
    // The stored text may be invalid.
    return []
  }
}
