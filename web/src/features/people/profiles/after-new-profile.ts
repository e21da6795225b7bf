/** Navigates to another screen. @returns false if it has not navigated */
type GoOn = () => boolean

let goOn: GoOn | undefined

/**
 * Registers `decide`, with which the current screen navigates when the form of a new profile closes.
 *
 * @returns a function that removes `decide`
 */
export function afterNewProfile(decide: GoOn): () => void {
  goOn = decide
  return () => {
    if (goOn === decide) goOn = undefined
  }
}

/**
 * Lets the current screen navigate after the form of a new profile has closed. @returns whether the screen has
 * navigated
 */
export function newProfileClosed(): boolean {
  return goOn?.() ?? false
}
