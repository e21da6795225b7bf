const KEY = 'ondine.screen'

/** Records that this browser was paired as a television. It is a screen for casting on every page. */
export function markAsScreen(): void {
  localStorage.setItem(KEY, 'paired')
}

/** Forgets that this browser was paired: its viewer has signed out, or has removed the device. */
export function forgetScreen(): void {
  localStorage.removeItem(KEY)
}

/** Returns whether this browser was paired as a television. */
export function isScreen(): boolean {
  return localStorage.getItem(KEY) !== null
}
