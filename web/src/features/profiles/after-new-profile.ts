/** Goes on elsewhere. @returns whether it did */
type GoOn = () => boolean

let goOn: GoOn | undefined

/** Lets a screen decide, while it is shown, what follows once the form of a new profile is closed. @returns how to end that */
export function afterNewProfile(decide: GoOn): () => void {
  goOn = decide
  return () => {
    if (goOn === decide) goOn = undefined
  }
}

/** The form of a new profile was closed. @returns whether the screen below has gone on elsewhere */
export function newProfileClosed(): boolean {
  return goOn?.() ?? false
}
