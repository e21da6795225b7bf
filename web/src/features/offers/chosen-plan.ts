import { cartPath } from './offer-paths.ts'

const KEY = 'chosen-plan'

/** Keeps what was chosen while registering, for the tab that the link of the letter opens. Nothing forgets it. Only in the browser. */
export function rememberPlan(offerIds: readonly number[]): void {
  try {
    if (offerIds.length > 0) localStorage.setItem(KEY, JSON.stringify(offerIds))
    else localStorage.removeItem(KEY)
  } catch {
    // A browser may keep nothing, or be full: the plan is chosen again then.
  }
}

/** The way into the cart with what was chosen while registering; undefined where nothing was. Only in the browser. */
export function chosenPlanPath(): string | undefined {
  const offerIds = readPlan()
  return offerIds.length === 0 ? undefined : cartPath({ offerIds })
}

function readPlan(): number[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(read) ? read.filter((each) => Number.isSafeInteger(each) && each > 0) : []
  } catch {
    // Anybody can write into a browser's storage; a browser may also refuse to read it.
    return []
  }
}
