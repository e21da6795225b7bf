/** Navigates to another screen. @returns whether it has navigated */
type GoOn = () => boolean

let goOn: GoOn | undefined

/**
 * Lets the current screen decide where to go when the form of a new profile closes.
 *
 * @returns a function after which the screen no longer decides
 */
export function afterNewProfile(decide: GoOn): () => void {
  goOn = decide
  return () => {
    if (goOn === decide) goOn = undefined
  }
}

/**
 * Asks the current screen where to go, after the form of a new profile has closed. @returns whether the screen has
 * navigated
 */
export function newProfileClosed(): boolean {
  return goOn?.() ?? false
}
