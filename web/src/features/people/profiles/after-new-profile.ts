/** Navigates to another screen. @returns whether it has navigated */
type GoOn = () => boolean

let goOn: GoOn | undefined

/**
 * Lets the current screen decide where to go after the form of a new profile closes. @returns a function that
 * withdraws `decide`
 */
export function afterNewProfile(decide: GoOn): () => void {
  goOn = decide
  return () => {
    if (goOn === decide) goOn = undefined
  }
}

/** Handles the closing of the form of a new profile. @returns whether the screen has navigated elsewhere */
export function newProfileClosed(): boolean {
  return goOn?.() ?? false
}
